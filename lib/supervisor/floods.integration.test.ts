import { execFile } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { chunk } from '#lib/testing/model-server.ts';

/** `npm run test:deep` asks for 100. */
const MEGABYTES = Number(process.env.FLOOD_MEGABYTES ?? 30);
const CHILD = path.join(import.meta.dirname, '../testing/memory-child.ts');
const outcome = z.object({ size: z.number().nullable(), error: z.string().nullable(), grownMb: z.number() });
const run = promisify(execFile);

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that writes pieces as fast as they are taken, until so many megabytes are out or nobody takes them. */
async function flood(head: { type: string; first?: string }, piece: string): Promise<{ url: string; sentMb: () => number }> {
  let sent = 0;
  const pour = async (response: ServerResponse) => {
    while (sent < MEGABYTES * 1024 * 1024 && !response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    response.end();
  };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': head.type });
    if (head.first) response.write(head.first);
    void pour(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`, sentMb: () => sent / 1024 / 1024 };
}

async function take(what: string, given: string) {
  const { stdout } = await run(process.execPath, [CHILD, what, given], { timeout: 110_000, env: { ...process.env, NODE_OPTIONS: '' } });
  const found = outcome.parse(JSON.parse(stdout));
  if (process.env.FLOOD_MEGABYTES) process.stderr.write(`${what} of ${MEGABYTES} MB: ${JSON.stringify(found)}\n`);
  return found;
}

const delta = (part: object) => chunk({ choices: [{ index: 0, delta: part, finish_reason: null }] });
const argumentsDelta = (text: string) => delta({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const STREAM = { type: 'text/event-stream' };

describe('a flood', () => {
  verifies('H-24', 'of arguments is stopped by its model call, with a reason, and memory stays', async () => {
    const first = delta({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'write', arguments: '{"text":"' } }] });
    const { url, sentMb } = await flood({ ...STREAM, first }, argumentsDelta('x'.repeat(4_000)));
    const { error, grownMb } = await take('model', url);
    expect(error).toMatch(/wrote more than 1048576 characters of arguments for one call, and was stopped/);
    expect(grownMb).toBeLessThan(80);
    // What was not taken was not sent either.
    expect(sentMb()).toBeLessThan(12);
  });

  verifies('H-24', 'of text is stopped the same way', async () => {
    const { url } = await flood(STREAM, delta({ content: 'x'.repeat(4_000) }));
    const { error, grownMb } = await take('model', url);
    expect(error).toMatch(/wrote more than 8388608 characters, and was stopped/);
    expect(grownMb).toBeLessThan(110);
  });

  verifies('H-24', 'of a tool’s result breaks off at the limit of its door', async () => {
    const { url } = await flood({ type: 'application/json' }, '"'.padEnd(16_000, 'x'));
    const { error, grownMb } = await take('mcp', url);
    expect(error).toContain('answered with more than 16777216 bytes');
    expect(grownMb).toBeLessThan(110);
  });

  verifies('H-24', 'of anything that is fetched breaks off at the limit of the one door out', async () => {
    const { url } = await flood({ type: 'text/plain' }, 'x'.repeat(16_000));
    const { size, error, grownMb } = await take('fetch', url);
    // Within the limit it is what was sent.
    if (MEGABYTES < 64) expect(size).toBeGreaterThanOrEqual(MEGABYTES * 1024 * 1024);
    else expect(error).toMatch(/max.*size|exceeded/i);
    expect(grownMb).toBeLessThan(64 * 4);
  });

  verifies('H-24', 'that a slow reader does not take is not made', async () => {
    const { size, grownMb } = await take('slow-reader', String(MEGABYTES));
    // What sockets and pipes hold of it, in frames of 64 KiB, and no more.
    expect(size).toBeLessThan(Math.min(16 * MEGABYTES, 150));
    expect(grownMb).toBeLessThan(40);
  });
});

it('is measured with at least as much as would be noticed', () => {
  expect(MEGABYTES).toBeGreaterThanOrEqual(30);
});
