import { describe, expect, it } from 'vitest';
import { markPeer, type Peer } from './peer.ts';
import { isTrustedByAddress } from './trust-rule.ts';

const LOCAL: Peer = { address: '127.0.0.1', isForwarded: false, clientAddress: '127.0.0.1' };

function judge(given: {
  host?: string;
  publicUrl?: string;
  hostHeader?: string;
  peer?: Peer | null;
  headers?: Record<string, string>;
}): boolean {
  const headers = new Headers({ host: given.hostHeader ?? '127.0.0.1:3000', ...given.headers });
  const peer = given.peer === undefined ? LOCAL : given.peer;
  if (peer) markPeer(headers, peer);
  return isTrustedByAddress({ host: given.host ?? '127.0.0.1', publicUrl: new URL(given.publicUrl ?? 'http://127.0.0.1:3000') }, headers);
}

describe('isTrustedByAddress', () => {
  it('trusts a browser on the machine itself', () => {
    expect(judge({})).toBe(true);
    expect(judge({ host: 'localhost', publicUrl: 'http://localhost:3000', hostHeader: 'localhost:3000' })).toBe(true);
    expect(judge({ host: '::1', publicUrl: 'http://[::1]:3000', hostHeader: '[::1]:3000', peer: { ...LOCAL, address: '::1' } })).toBe(true);
    expect(judge({ peer: { ...LOCAL, address: '::ffff:127.0.0.1' } })).toBe(true);
  });

  it('trusts nobody where the server is bound to more than loopback, or means to be reached elsewhere', () => {
    expect(judge({ host: '0.0.0.0' })).toBe(false);
    expect(judge({ host: '::' })).toBe(false);
    expect(judge({ publicUrl: 'https://agents.example.com' })).toBe(false);
  });

  it('trusts no request that was passed on, comes from elsewhere, or names another host', () => {
    expect(judge({ peer: { ...LOCAL, isForwarded: true } })).toBe(false);
    expect(judge({ peer: { ...LOCAL, address: '192.0.2.7' } })).toBe(false);
    for (const hostHeader of ['agents.example.com', '127.0.0.1.evil.test', 'localhost.evil.test:3000', ''])
      expect(judge({ hostHeader })).toBe(false);
  });

  it('trusts no request without this process’s own mark', () => {
    expect(judge({ peer: null })).toBe(false);
    expect(judge({ peer: null, headers: { 'x-bailiwick-peer': 'guess 127.0.0.1 direct 127.0.0.1' } })).toBe(false);
  });
});
