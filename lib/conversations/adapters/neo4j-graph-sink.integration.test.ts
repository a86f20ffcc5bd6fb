import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { createNeo4jGraphSink } from './neo4j-graph-sink.ts';

describe('createNeo4jGraphSink', () => {
  const seen: { url: string | undefined; authorization: string | undefined; body: { parameters: Record<string, unknown> } }[] = [];
  let status = 202;
  const server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      seen.push({ url: request.url, authorization: request.headers.authorization, body: JSON.parse(text) });
      response.writeHead(status).end(status === 202 ? '{"data":{}}' : '{"errors":[{"code":"down"}]}');
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());

  const run = {
    tenantId: newId('tenant'),
    sessionId: newId('session'),
    runId: newId('run'),
    preset: 'default',
    terminal: 'FINISH_OK',
    capabilityIds: ['time.now'],
    endedAt: new Date('2026-11-30T00:00:00Z'),
  };
  const sink = () =>
    createNeo4jGraphSink({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      database: 'neo4j',
      user: 'u',
      password: 'p',
      fetch: globalThis.fetch,
    });

  it('sends one parametrised statement', async () => {
    await sink().record(run);
    expect(seen[0]).toMatchObject({
      url: '/db/neo4j/query/v2',
      authorization: 'Basic dTpw',
      body: { parameters: { ...run, endedAt: '2026-11-30T00:00:00.000Z' } },
    });
  });

  it('says what the graph answered when it refuses', async () => {
    status = 503;
    await expect(sink().record(run)).rejects.toThrow('The graph answered 503');
  });
});
