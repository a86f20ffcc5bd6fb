import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPeer, startPeerMarking } from './peer.ts';

let server: Server;
let port: number;
const seen: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  startPeerMarking();
  startPeerMarking();
  server = createServer((request, response) => {
    seen.push(request.headers);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What a handler behind the server learns of a request with these headers. */
async function peerOf(headers: Record<string, string>) {
  await new Promise<void>((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', headers }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  const [latest] = seen.splice(0);
  return findPeer(new Headers(Object.entries(latest ?? {}).map(([name, value]): [string, string] => [name, String(value)])));
}

describe('findPeer', () => {
  it('knows the socket’s other end', async () => {
    expect(await peerOf({})).toEqual({ address: '127.0.0.1', isForwarded: false, clientAddress: '127.0.0.1' });
  });

  it('sees every header that says a request was passed on, whatever it claims', async () => {
    for (const name of [
      'X-Forwarded-For',
      'x-forwarded-host',
      'X-Forwarded-Proto',
      'X-Forwarded-Port',
      'Forwarded',
      'Via',
      'X-Real-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
    ]) {
      expect({ name, peer: await peerOf({ [name]: '127.0.0.1' }) }).toMatchObject({ name, peer: { isForwarded: true } });
    }
  });

  it('counts against the address that the proxy on this machine saw, not against what its client claimed', async () => {
    expect((await peerOf({ 'x-forwarded-for': '10.0.0.1, 203.0.113.9' }))?.clientAddress).toBe('203.0.113.9');
    expect((await peerOf({ 'x-forwarded-for': 'nonsense here' }))?.clientAddress).toBe('127.0.0.1');
  });

  it('believes no mark that came in from outside', async () => {
    const forged = await peerOf({ 'x-bailiwick-peer': 'x 10.1.1.1 direct 10.1.1.1' });
    expect(forged).toEqual({ address: '127.0.0.1', isForwarded: false, clientAddress: '127.0.0.1' });
  });
});
