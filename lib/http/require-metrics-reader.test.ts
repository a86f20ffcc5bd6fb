import { beforeEach, describe, expect, it } from 'vitest';
import { type AuthRuntime, startAuth } from '#lib/auth/index.ts';
import { markPeer, type Peer } from '../auth/peer.ts';
import { requireMetricsReader } from './require-metrics-reader.ts';

const LOCAL: Peer = { address: '127.0.0.1', isForwarded: false, clientAddress: '127.0.0.1' };
const TOKEN = 'a token for the scraper';
const unused = () => Promise.reject(new Error('not asked for here'));

function start(metricsToken: string | undefined): void {
  const config: AuthRuntime['config'] = {
    host: '127.0.0.1',
    publicUrl: new URL('http://127.0.0.1:3000'),
    instanceId: 'abcd1234',
    secret: 's'.repeat(32),
    metricsToken,
  };
  startAuth({
    config,
    resolveActor: unused,
    getAccount: unused,
    recordRefusal: unused,
    signInWithPassword: unused,
    signInToDemo: unused,
    endSignIn: unused,
  });
}

/** Whether whoever sends this may read the metrics. */
function mayRead(given: { authorization?: string; peer?: Peer | null }): boolean {
  const headers = new Headers(given.authorization === undefined ? {} : { authorization: given.authorization });
  const peer = given.peer === undefined ? LOCAL : given.peer;
  if (peer) markPeer(headers, peer);
  try {
    requireMetricsReader(headers);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'unauthenticated' });
    return false;
  }
}

describe('requireMetricsReader', () => {
  beforeEach(() => start(TOKEN));

  it('lets the machine itself read, and nobody whose request was passed on or comes from elsewhere', () => {
    expect(mayRead({})).toBe(true);
    expect(mayRead({ peer: { ...LOCAL, isForwarded: true } })).toBe(false);
    expect(mayRead({ peer: { ...LOCAL, address: '192.0.2.7' } })).toBe(false);
    expect(mayRead({ peer: null })).toBe(false);
  });

  it('lets the token in from anywhere, and judges a request by the header it brings', () => {
    expect(mayRead({ authorization: `Bearer ${TOKEN}`, peer: { ...LOCAL, address: '192.0.2.7' } })).toBe(true);
    for (const authorization of [TOKEN, `Bearer ${TOKEN}x`, 'Bearer ', '', `Bearer bw_${'a'.repeat(43)}`])
      expect(mayRead({ authorization })).toBe(false);
  });

  it('knows no token where none was set', () => {
    start(undefined);
    expect(mayRead({ authorization: 'Bearer undefined' })).toBe(false);
    expect(mayRead({ authorization: 'Bearer ' })).toBe(false);
  });
});
