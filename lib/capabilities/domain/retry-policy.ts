import type { CapabilityMetadata } from './capability.ts';

/** What is tried again without a word about it in the metadata. */
const RETRIES = 2;
const FIRST_WAIT_MS = 250;
const LONGEST_BACK_OFF_MS = 10_000;
/** Whoever is asked to wait longer is told so instead: a run holds its place meanwhile. */
export const LONGEST_RETRY_AFTER_MS = 30_000;

/** Failures that may be gone in a moment: who was called is away, or asks for patience. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'rate_limited']);

/**
 * How long to wait before a call is made again; null where it is not (requirement H-16, known fault K22). Only what has failed
 * in passing is repeated, and only where a repeat does no harm. The wait is the one that was asked for, else it doubles, with
 * up to a quarter added so that many who failed together do not come back together.
 */
export function retryWaitMs({
  error,
  attempt,
  metadata,
  random,
}: {
  readonly error: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> | undefined };
  /** The attempt that has failed, from 1. */
  readonly attempt: number;
  readonly metadata: Pick<CapabilityMetadata, 'sideEffect' | 'idempotency' | 'maxRetries'>;
  readonly random: () => number;
}): number | null {
  const isHarmless = metadata.sideEffect === 'read' || metadata.idempotency !== 'none';
  if (!PASSING.has(error.code) || !isHarmless || attempt > (metadata.maxRetries ?? RETRIES)) return null;
  const asked = error.details?.retryAfterMs;
  if (typeof asked === 'number' && asked >= 0) return asked > LONGEST_RETRY_AFTER_MS ? null : asked;
  return Math.round(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS) * (1 + random() * 0.25));
}
