import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { type Actor, PERMISSIONS } from '#lib/tenancy/index.ts';
import { readQueuePlace } from './read-queue-place.ts';

describe('readQueuePlace', () => {
  const tenantId = newId('tenant');
  const [mine, theirs] = [newId('run'), newId('run')];
  const me = actor(['run:read']);

  function actor(permissions: readonly (typeof PERMISSIONS)[number][]): Actor {
    return {
      kind: 'user',
      scope: { tenantId, userId: newId('user') },
      displayName: 'Ada',
      email: 'ada@example.com',
      roleKey: 'member',
      roleName: 'Member',
      permissions: new Set(permissions),
      locale: null,
      timeZone: 'UTC',
    };
  }

  const read = (by: Actor, runId = mine) =>
    readQueuePlace(
      {
        reader: { findOwner: async (_scope, id) => (id === mine ? me.scope.userId : id === theirs ? newId('user') : null) },
        engine: {
          readLine: async () => ({
            limit: 1,
            active: 1,
            waiting: [theirs, mine].map((id) => ({ runId: id, tenantId, since: new Date() })),
          }),
        },
      },
      by,
      runId,
    );

  it('counts those before it, and itself', async () => {
    expect(await read(me)).toEqual({ place: 2 });
  });

  it('is told to whoever may see the run, and to nobody else', async () => {
    expect(await read(actor(PERMISSIONS))).toEqual({ place: 2 });
    await expect(read(actor(['run:read']))).rejects.toMatchObject({ code: 'not_found' });
    await expect(read(me, theirs)).rejects.toMatchObject({ code: 'not_found' });
    await expect(read(me, newId('run'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
