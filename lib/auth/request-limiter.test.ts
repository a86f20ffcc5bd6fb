import { describe, expect, it } from 'vitest';
import type { Account, Actor } from '#lib/tenancy/index.ts';
import type { RequestCountStore } from './ports.ts';
import { createRequestLimiter, type RequestLimiter } from './request-limiter.ts';

const START_MS = 60_000 * 1000;

/** The table that all processes share. */
function sharedStore() {
  const totals = new Map<string, number>();
  let isAway = false;
  const store: RequestCountStore = {
    async add(counts) {
      if (isAway) throw new Error('the database is away');
      return counts.map(({ key, window, count }) => {
        const total = (totals.get(`${window}:${key}`) ?? 0) + count;
        totals.set(`${window}:${key}`, total);
        return { key, window, count: total };
      });
    },
  };
  return { store, setAway: (away: boolean) => (isAway = away) };
}

function world(limits: Partial<{ user: number; key: number; tenant: number }> = {}) {
  let nowMs = START_MS;
  const shared = sharedStore();
  const start = () =>
    createRequestLimiter({
      limits: { user: 5, key: 5, tenant: 100, ...limits },
      store: shared.store,
      clock: { now: () => new Date(nowMs) },
    });
  return { ...shared, start, advance: (ms: number) => (nowMs += ms) };
}

const person = (userId: string, tenantId = 't', apiKeyId?: string) =>
  ({ scope: { tenantId, userId }, ...(apiKeyId && { apiKeyId }) }) as Actor;
const admitted = (limiter: RequestLimiter, sender: Actor | Account, times: number) =>
  Array.from({ length: times }, () => {
    try {
      limiter.admit(sender);
      return true;
    } catch {
      return false;
    }
  }).filter(Boolean).length;

describe('createRequestLimiter', () => {
  it('admits a person’s requests up to the limit of a minute, and says when to come back', () => {
    const { start, advance } = world();
    const limiter = start();
    expect(admitted(limiter, person('u'), 8)).toBe(5);
    expect(() => limiter.admit(person('u'))).toThrow('You have made 5 requests within a minute. Try again in 72 seconds.');
    expect(admitted(limiter, person('other'), 8)).toBe(5);
    // The account pages count for the same person.
    expect(admitted(limiter, { userId: 'u' } as Account, 1)).toBe(0);
    advance(71_000);
    expect(admitted(limiter, person('u'), 1)).toBe(0);
    advance(1_001);
    expect(admitted(limiter, person('u'), 8)).toBe(1);
  });

  it('counts requests by API key for the key and not for its maker, and all of them for the tenant', () => {
    const limiter = world({ tenant: 12 }).start();
    expect(admitted(limiter, person('u', 't', 'k1'), 8)).toBe(5);
    expect(admitted(limiter, person('u'), 8)).toBe(5);
    expect(admitted(limiter, person('u', 't', 'k2'), 8)).toBe(2);
    expect(() => limiter.admit(person('v'))).toThrow('This workspace has made 12 requests');
    expect(admitted(limiter, person('v', 'elsewhere'), 8)).toBe(5);
  });

  it('sets no limit where none is wanted', () => {
    expect(admitted(world({ user: 0, tenant: 0 }).start(), person('u'), 1000)).toBe(1000);
  });

  it('shares what it counted with the other processes, and learns from them', async () => {
    const { start, advance } = world();
    const [one, two] = [start(), start()];
    expect(admitted(one, person('u'), 3)).toBe(3);
    await one.settle();
    expect(admitted(two, person('u'), 1)).toBe(1);
    await two.settle();
    expect(admitted(two, person('u'), 5)).toBe(1);
    await Promise.all([two.settle(), one.settle()]);
    advance(60_000);
    // Of the window before, both know all five: the first has to be told, since it heard of three.
    expect(admitted(two, person('u'), 5)).toBe(0);
  });

  it('goes on by itself while the database is away, and loses no count', async () => {
    const { start, setAway } = world();
    const [one, two] = [start(), start()];
    setAway(true);
    expect(admitted(one, person('u'), 4)).toBe(4);
    await one.settle();
    expect(admitted(one, person('u'), 5)).toBe(1);
    setAway(false);
    await one.settle();
    expect(admitted(two, person('u'), 1)).toBe(1);
    await two.settle();
    expect(admitted(two, person('u'), 1)).toBe(0);
  });
});
