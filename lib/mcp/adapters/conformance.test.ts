import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_SCENARIOS, SERVER_SCENARIOS } from '#lib/testing/mcp-conformance.ts';
import type { CapabilityOffer, OfferedTool } from '../ports.ts';
import { createSdkEndpoint } from './sdk-endpoint.ts';

const require = createRequire(import.meta.url);
const SUITE = require.resolve('@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = `${process.execPath} ${path.resolve('lib/testing/mcp-conformance-client.ts')}`;

/** One scenario in a process of its own; the suite's words, and whether it was passed. */
async function run(...words: string[]): Promise<{ isPassed: boolean; said: string }> {
  const child = spawn(process.execPath, [SUITE, ...words, '-o', path.join(tmpdir(), 'mcp-conformance')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { isPassed: code === 0, said };
}

const expectationOf = (reason: string | null) => (reason === null ? 'passes' : `fails: ${reason}`);

describe('our client', () => {
  it.each(Object.entries(CLIENT_SCENARIOS).map(([scenario, reason]) => [scenario, expectationOf(reason), reason] as const))(
    'in %s %s',
    async (scenario, _expectation, reason) => {
      const { isPassed, said } = await run('client', '--command', CLIENT, '--scenario', scenario);
      // What the suite said, where it is not as expected.
      expect({ isPassed, said: isPassed === (reason === null) ? '' : said }).toEqual({ isPassed: reason === null, said: '' });
    },
    90_000,
  );
});

const tool = (
  name: string,
  description: string,
  inputSchema: OfferedTool['inputSchema'] = { type: 'object', properties: {} },
): OfferedTool => ({
  name,
  title: name,
  description,
  inputSchema,
  isReadOnly: true,
  isDestructive: false,
  isIdempotent: true,
});

/** As the suite wants its tools to answer. */
function answerOf(name: string): Awaited<ReturnType<CapabilityOffer['call']>> {
  if (name === 'test_error_handling')
    return { text: 'This tool intentionally returns an error for testing', structured: null, isError: true };
  return { text: 'This is a simple text response for testing.', structured: null, isError: false };
}

describe('our server', () => {
  /** The tools that the suite asks for, as capabilities would offer them. */
  const TOOLS = [
    tool('test_simple_text', 'Returns a text.'),
    tool('test_error_handling', 'Fails.'),
    tool('json_schema_2020_12_tool', 'Has a schema of its own.', {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    }),
  ];
  const endpoint = createSdkEndpoint({ version: '0' });
  const server = createServer((incoming, outgoing) => {
    const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const body = incoming.method === 'POST' ? { body: Readable.toWeb(incoming) as unknown as BodyInit, duplex: 'half' } : {};
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, { method: incoming.method ?? 'GET', headers, ...body });
    const answering = endpoint.answer(request, { list: async () => TOOLS, call: async (name) => answerOf(name) });
    void answering.then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      return outgoing.end(Buffer.from(await response.arrayBuffer()));
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.closeAllConnections());

  it.each(Object.entries(SERVER_SCENARIOS).map(([scenario, reason]) => [scenario, expectationOf(reason), reason] as const))(
    'in %s %s',
    async (scenario, _expectation, reason) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      const { isPassed, said } = await run('server', '--url', url, '--scenario', scenario);
      // What the suite said, where it is not as expected.
      expect({ isPassed, said: isPassed === (reason === null) ? '' : said }).toEqual({ isPassed: reason === null, said: '' });
    },
    90_000,
  );
});
