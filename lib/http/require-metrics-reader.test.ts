import { beforeEach, describe, expect, it } from 'vitest';
import { type AuthRuntime, startAuth } from '#lib/auth/index.ts';
import { isAppError } from '#lib/kernel/index.ts';
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
    admit: () => undefined,
    recordRefusal: unused,
    signInWithPassword: unused,
    signInToDemo: unused,
    openOidc: unused,
    signInWithOidc: unused,
    refuseOidc: unused,
    endSignIn: unused,
  });
}

/** Whether whoever sends this may read the metrics, else the code of the refusal. */
function ask(given: { authorization?: string; peer?: Peer | null }): string {
  const headers = new Headers(given.authorization === undefined ? {} : { authorization: given.authorization });
  const peer = given.peer === undefined ? LOCAL : given.peer;
  if (peer) markPeer(headers, peer);
  try {
    requireMetricsReader(headers);
    return 'allowed';
  } catch (error) {
    return isAppError(error) ? error.code : 'failed';
  }
}

describe('requireMetricsReader', () => {
  beforeEach(() => start(TOKEN));

  it('lets the machine itself read, and nobody whose request was passed on or comes from elsewhere', () => {
    expect(ask({})).toBe('allowed');
    expect(ask({ peer: { ...LOCAL, isForwarded: true } })).toBe('unauthenticated');
    expect(ask({ peer: { ...LOCAL, address: '192.0.2.7' } })).toBe('unauthenticated');
    expect(ask({ peer: null })).toBe('unauthenticated');
  });

  it('lets the token in from anywhere, and judges a request by the header it brings', () => {
    expect(ask({ authorization: `Bearer ${TOKEN}`, peer: { ...LOCAL, address: '192.0.2.7' } })).toBe('allowed');
    for (const authorization of [TOKEN, `Bearer ${TOKEN}x`, 'Bearer ', '', `Bearer bw_${'a'.repeat(43)}`])
      expect(ask({ authorization })).toBe('unauthenticated');
  });

  it('knows no token where none was set', () => {
    start(undefined);
    expect(ask({ authorization: 'Bearer undefined' })).toBe('unauthenticated');
    expect(ask({ authorization: 'Bearer ' })).toBe('unauthenticated');
  });
});
