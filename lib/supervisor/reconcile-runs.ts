import type { RunEngine, Segment } from '#lib/durable/index.ts';
import { type Clock, type Id, isAppError } from '#lib/kernel/index.ts';
import { AnswerText } from './domain/answer-text.ts';
import { type Ending, endBoundary } from './domain/ending.ts';
import type { Run } from './domain/run.ts';
import type { EnqueueInTransaction, RunJournal, RunRecords } from './ports.ts';

/** Runs that should be moving, over all tenants. */
export interface OpenRunReader {
  /** QUEUED and RUNNING runs whose last event is older than `quietMs`, at most `limit`. */
  listQuiet(quietMs: number, limit: number): Promise<{ readonly run: Run; readonly shownText: RunRecords['shownText'] }[]>;
  /** Raises the run's segment by one and enqueues it, unless the run has moved on from `segment`: then false. */
  requeue(run: Run, enqueue: EnqueueInTransaction): Promise<boolean>;
}

/**
 * Ends runs whose segment has ended without them, with the true reason, and gives a new segment to those whose segment is
 * lost (`design.md` section 3, 11); repeats a stop that its driver has not followed. Safe in several processes at once: each
 * end is fenced by the run's epoch.
 */
export async function reconcileRuns({
  engine,
  journal,
  openRuns,
  clock,
  quietMs,
  log,
}: {
  engine: RunEngine;
  journal: RunJournal;
  openRuns: OpenRunReader;
  clock: Clock;
  quietMs: number;
  log: { warn(context: object, message: string): void };
}): Promise<void> {
  const quiet = await openRuns.listQuiet(quietMs, 100);
  if (quiet.length === 0) return;
  const segments = new Map(quiet.map(({ run }) => [run.id, toSegment(run)]));
  const statuses = await engine.statusOf([...segments.values()]);
  for (const { run, shownText } of quiet) {
    const segment = segments.get(run.id);
    const status = segment ? (statuses.get(segment) ?? 'unknown') : 'unknown';
    // Whoever drives it may not have heard of a stop; the engine reaches it.
    if (status === 'active' && run.cancelRequestedAt && segment) await engine.cancel(segment);
    if (status === 'active') continue;
    const mending = () => log.warn({ runId: run.id, segment: run.segment, status }, 'a run stands still; mending it');
    if (status === 'succeeded' || status === 'unknown') {
      const moved = await openRuns.requeue(run, (transaction, { runId, segment: number }) =>
        engine.enqueue(transaction, { ...toSegment(run), runId, number }),
      );
      // It may have ended by itself since it was listed.
      if (!moved) continue;
      mending();
      engine.wake();
      continue;
    }
    mending();
    const ending: Ending = { ...endingOf(run, status), text: new AnswerText(shownText).whole(), at: clock.now() };
    await journal.write(keyOf(run), endBoundary(run, ending)).catch((error: unknown) => {
      // Another process has moved it meanwhile.
      if (!isAppError(error) || error.code !== 'stale_epoch') throw error;
    });
  }
}

function endingOf(run: Run, status: 'failed' | 'cancelled' | 'recovered-too-often'): Pick<Ending, 'terminal' | 'error'> {
  if (run.cancelRequestedAt) return { terminal: 'CANCELLED' };
  if (status === 'recovered-too-often') {
    return { terminal: 'FINISH_ERROR', error: { code: 'internal', message: 'interrupted: the process ended during this run too often' } };
  }
  return { terminal: 'FINISH_ERROR', error: { code: 'internal', message: 'interrupted' } };
}

function toSegment(run: Run): Segment {
  return { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, number: run.segment };
}

function keyOf(run: Run): { tenantId: Id<'tenant'>; sessionId: Id<'session'>; runId: Id<'run'>; epoch: number } {
  return { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, epoch: run.epoch };
}
