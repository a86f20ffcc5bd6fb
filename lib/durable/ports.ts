import type { Id } from '#lib/kernel/index.ts';

/** One stretch of a run between two waits. Ids only: what the engine stores tells nothing. */
export interface Segment {
  readonly tenantId: Id<'tenant'>;
  readonly sessionId: Id<'session'>;
  readonly runId: Id<'run'>;
  /** Counts from 1 within the run. */
  readonly number: number;
}

/** A transaction of the app's that the engine may write in, in the shape of a `pg` client. */
export interface EngineTransaction {
  /** Puts a statement on its way without waiting for it: whoever commits learns of its failure, and nothing is committed then. */
  send(text: string, values: unknown[]): void;
  query(text: string | { text: string; values?: unknown[] }, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number }>;
}

/**
 * Says that the engine has given a segment to this execution. It is void as soon as another execution has the segment, which
 * one that was stopped or cut off does not notice by itself: to be checked in the transaction that takes the run on.
 */
export interface Claim {
  readonly segmentKey: string;
  readonly token: string;
}

/** Carries a run on from its records; may be called again at any point and by another process. */
export type Drive = (segment: Segment, signal: AbortSignal, claim: Claim) => Promise<void>;

/**
 * A free place of this process, for a segment that is about to be enqueued and that nothing of its session is ahead of: it
 * begins here as soon as it is committed, and never stands in the queue. One of the three ends it; each may be called once.
 */
export interface Reservation {
  readonly token: string;
  /** After the commit. The drive gets `token` with its claim. Rejects when it could not be begun here: it is looked for again. */
  begin(): Promise<void>;
  /** It was not needed. */
  release(): void;
  /** Whether the enqueue was committed is not known: what it would have left is looked for. */
  doubt(): void;
}

/** How the engine sees a segment. `active` covers queued and claimed ones. */
export type SegmentStatus = 'active' | 'succeeded' | 'failed' | 'cancelled' | 'recovered-too-often' | 'unknown';

/** The line before the places, over all processes and tenants. */
export interface Line {
  /** Places in all. */
  readonly limit: number;
  /** Segments at work. */
  readonly active: number;
  /** Runs that could go on if a place were free, one a session; first whoever is next. */
  readonly waiting: readonly { readonly runId: Id<'run'>; readonly tenantId: Id<'tenant'>; readonly since: Date }[];
}

/**
 * The durable queue: claims, caps, one segment per session at a time, takeover from dead processes. Runs at least once;
 * `Drive` is what makes that harmless.
 */
export interface RunEngine {
  /**
   * Inside the caller's transaction: the segment exists if and only if the transaction commits. Of one session's segments
   * the lowest `place` is next; one that goes on with a run that has begun needs none, and is next. With `reserved` it is this
   * process's from the commit on, and only sent: the commit tells whether it was written.
   */
  enqueue(transaction: EngineTransaction, segment: Segment, options?: { place?: number; reserved?: Reservation }): Promise<void>;
  /** Null when no place is free here, or others wait for one. */
  reserve(): Reservation | null;
  /** Looks at the queue now instead of at the next poll; to be called after the commit. */
  wake(): void;
  /** As it was at most a second ago: read once for all who ask meanwhile. */
  readLine(): Promise<Line>;
  /** Fires the signal that the drive of this segment was given; harmless when it has ended. */
  cancel(segment: Segment): Promise<void>;
  /** Removes what is kept of these runs, queued and claimed segments included. `segments`: how many a run has had. */
  forget(runs: readonly { readonly id: Id<'run'>; readonly segments: number }[]): Promise<void>;
  statusOf(segments: readonly Segment[]): Promise<ReadonlyMap<Segment, SegmentStatus>>;
  /** Starts to claim. Resolves once this process may be found dead by others. */
  start(drive: Drive): Promise<void>;
  /** Claims no more and waits up to `drainMs` for what runs here. */
  stop(drainMs: number): Promise<void>;
  isReady(): boolean;
  /** Segments that run in this process now. */
  activeCount(): number;
}
