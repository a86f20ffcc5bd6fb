import { AppError, type Clock, messageOf } from '#lib/kernel/index.ts';
import { log, metrics } from '#lib/telemetry/index.ts';
import type { Account, Actor } from '#lib/tenancy/index.ts';
import { countAt, type SlidingCount, waitFor } from './domain/sliding-count.ts';
import type { RequestCount, RequestCountStore } from './ports.ts';

export const REQUEST_WINDOW_MS = 60_000;
/** How often what a process has counted is shared with the others: by so much they can be late to know. */
const SETTLE_MS = 1_000;

type Scope = 'user' | 'key' | 'tenant';
/** Requests a minute; 0: no limit. */
export type RequestLimits = Readonly<Record<Scope, number>>;

export interface RequestLimiter {
  /** Counts one request of the API. Throws `rate_limited` with `details.retryAfterSeconds`; a refused one does not count. */
  admit(sender: Actor | Account): void;
  /** Shares what was counted since the last time. Runs by itself a second after a request. */
  settle(): Promise<void>;
}

interface Counted {
  count: SlidingCount;
  /** Of this window, what the others do not know of yet. */
  pending: number;
}

/**
 * Counts in memory, so that a request waits for nothing, and settles with the other processes in one statement a second
 * (decision 0014). A person's requests by browser count for the person, those by API key for the key, and all of them for
 * the tenant.
 */
export function createRequestLimiter(parts: { limits: RequestLimits; store: RequestCountStore; clock: Clock }): RequestLimiter {
  const { limits, store, clock } = parts;
  const counted = new Map<string, Counted>();
  /** Counts of windows that ended before they were settled. */
  let leftovers: RequestCount[] = [];
  let timer: NodeJS.Timeout | null = null;

  function at(key: string, nowMs: number): Counted {
    const known = counted.get(key);
    const start = { window: Math.floor(nowMs / REQUEST_WINDOW_MS), current: 0, previous: 0 };
    if (!known) {
      const made = { count: start, pending: 0 };
      counted.set(key, made);
      return made;
    }
    const now = countAt(known.count, nowMs, REQUEST_WINDOW_MS);
    if (now.window !== known.count.window) {
      if (known.pending > 0) leftovers.push({ key, window: known.count.window, count: known.pending });
      known.count = now;
      known.pending = 0;
    }
    return known;
  }

  async function settle(): Promise<void> {
    timer = null;
    const nowMs = clock.now().getTime();
    for (const key of counted.keys()) at(key, nowMs);
    const sent = [
      ...leftovers,
      ...[...counted].flatMap(([key, { count, pending }]) => (pending > 0 ? [{ key, window: count.window, count: pending }] : [])),
    ];
    leftovers = [];
    for (const [key, known] of counted) {
      known.pending = 0;
      if (known.count.current === 0 && known.count.previous === 0) counted.delete(key);
    }
    if (sent.length === 0) return;
    try {
      for (const { key, window, count: total } of await store.add(sent)) {
        const known = counted.get(key);
        if (!known) continue;
        // What came while the statement was on its way is on top.
        if (known.count.window === window) known.count = { ...known.count, current: total + known.pending };
        else if (known.count.window === window + 1) known.count = { ...known.count, previous: total };
      }
    } catch (error) {
      // Each process then holds the limits by itself, and shares what it counted when the database is back.
      log.warn({ reason: messageOf(error) }, 'request counts could not be shared');
      leftovers.push(...sent);
      settleSoon();
    }
  }

  function settleSoon(): void {
    timer ??= setTimeout(() => void settle(), SETTLE_MS).unref();
  }

  return {
    settle,
    admit(sender) {
      const nowMs = clock.now().getTime();
      const counts = scopesOf(sender)
        .filter(([scope]) => limits[scope] > 0)
        .map(([scope, id]) => ({ scope, known: at(`${scope}:${id}`, nowMs) }));
      for (const { scope, known } of counts) {
        const waitMs = waitFor(known.count, { limit: limits[scope], nowMs, windowMs: REQUEST_WINDOW_MS });
        if (waitMs > 0) throw refused(scope, limits[scope], waitMs);
      }
      for (const { known } of counts) {
        known.count = { ...known.count, current: known.count.current + 1 };
        known.pending += 1;
      }
      if (counts.length > 0) settleSoon();
    },
  };
}

function scopesOf(sender: Actor | Account): (readonly [Scope, string])[] {
  if (!('scope' in sender)) return [['user', sender.userId]];
  const own = sender.apiKeyId ? (['key', sender.apiKeyId] as const) : (['user', sender.scope.userId] as const);
  return [own, ['tenant', sender.scope.tenantId]];
}

const WHOSE: Readonly<Record<Scope, string>> = { user: 'You have', key: 'This API key has', tenant: 'This workspace has' };

function refused(scope: Scope, limit: number, waitMs: number): AppError {
  metrics.rateLimited.inc({ scope });
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError({
    code: 'rate_limited',
    message: `${WHOSE[scope]} made ${limit} requests within a minute. Try again in ${retryAfterSeconds} seconds.`,
    details: { scope, limitPerMinute: limit, retryAfterSeconds },
  });
}
