import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId } from '#lib/kernel/index.ts';
import { type Actor, PERMISSIONS, type Permission } from '#lib/tenancy/index.ts';
import { streamWhileAllowed } from './stream-route.ts';

async function* silence(signal: AbortSignal) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield* [];
}

function actor(permissions: readonly Permission[]): Actor {
  const about = { displayName: '', email: '', roleKey: 'x', roleName: 'X', locale: null, timeZone: 'UTC' };
  return { kind: 'user', scope: { tenantId: newId('tenant'), userId: newId('user') }, permissions: new Set(permissions), ...about };
}

/** A silent stream, of a reader whose rights turn out to be `now` when they are read again. */
function open(now: () => Promise<Actor>) {
  const listeners = new Set<() => void>();
  const response = streamWhileAllowed(
    { actor: actor(PERMISSIONS), request: new Request('http://localhost/'), reauthorize: now },
    {
      heartbeatMs: 10_000,
      onRightsChange: (_actor, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    silence,
  );
  const ended = response.text().then(() => 'ended');
  const ring = () => {
    for (const listener of listeners) listener();
  };
  return { ring, ended, isEndedWithin: (ms: number) => Promise.race([ended, sleep(ms, 'open')]), listeners };
}

describe('streamWhileAllowed', () => {
  verifies('K17', 'ends when a right that the stream began with is gone, or all are', async () => {
    for (const now of [async () => actor(['run:read']), () => Promise.reject(new Error('not a member any more'))]) {
      const stream = open(now);
      expect(await stream.isEndedWithin(100)).toBe('open');
      stream.ring();
      expect(await stream.isEndedWithin(2_000)).toBe('ended');
      expect(stream.listeners.size).toBe(0);
    }
  });

  it('goes on when the change took nothing away', async () => {
    let left = false;
    const stream = open(async () => actor(left ? [] : PERMISSIONS));
    stream.ring();
    expect(await stream.isEndedWithin(100)).toBe('open');
    left = true;
    stream.ring();
    expect(await stream.ended).toBe('ended');
  });
});
