import { defineTransitions } from '#lib/kernel/index.ts';

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'WITHDRAWN' | 'DEAD';

/** From each end an admin may have it sent once more. */
export const deliveryTransitions = defineTransitions<DeliveryState>('delivery', {
  PENDING: ['PENDING', 'DELIVERED', 'WITHDRAWN', 'DEAD'],
  DELIVERED: ['PENDING'],
  WITHDRAWN: ['PENDING'],
  DEAD: ['PENDING'],
});

/** How one attempt to deliver went. */
export type AttemptOutcome =
  | { readonly ok: true; readonly status: number | null; readonly detail: string }
  | {
      readonly ok: false;
      readonly status: number | null;
      readonly detail: string;
      /** It would fail the next time too: no such mailbox, an address that may not be called. */
      readonly isFinal: boolean;
      /** What the other side asks for; null: nothing. */
      readonly retryAfterMs: number | null;
    };

const DAY_MS = 86_400_000;
/** Each wait is so much longer than the one before. */
const FACTOR = 4;
/** By so much of itself a wait is made longer at random, so that what failed together is not tried together. */
const JITTER = 0.2;

export interface RetryPolicy {
  /** Attempts before it is given up. */
  readonly attempts: number;
  /** The wait after the first. */
  readonly firstWaitMs: number;
}

/**
 * What becomes of a delivery after an attempt. Waits grow from `firstWaitMs` by a factor of four to a day at most, and are never
 * shorter than what the other side asked for. `attempt` counts from 1; `random` is in [0, 1).
 */
export function decideAfterAttempt(
  outcome: AttemptOutcome,
  { attempt, limit, firstWaitMs, random }: { attempt: number; limit: number; firstWaitMs: number; random: number },
): { readonly state: 'DELIVERED' | 'DEAD' } | { readonly state: 'PENDING'; readonly waitMs: number } {
  if (outcome.ok) return { state: 'DELIVERED' };
  if (outcome.isFinal || attempt >= limit) return { state: 'DEAD' };
  const own = firstWaitMs * FACTOR ** (attempt - 1) * (1 + JITTER * random);
  return { state: 'PENDING', waitMs: Math.round(Math.min(DAY_MS, Math.max(own, outcome.retryAfterMs ?? 0))) };
}

/** `Retry-After` of RFC 9110: seconds, or a date. Null for anything else. */
export function readRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
