import type { TracedRun } from '#lib/record/contract.ts';
import { hasEnded } from './has-ended.ts';

/** The parts of the sentence that says how a run came out or stands. */
export type Outcome =
  | { key: 'queued'; place: number }
  | { key: 'running'; steps: number; done: number }
  | { key: 'waiting'; tasks: number }
  | { key: 'finished'; durationMs: number; steps: number; calls: number }
  | { key: 'finishedWithFailures'; durationMs: number; failed: number; calls: number }
  | { key: 'failedIn'; capabilityId: string; attempt: number; message: string }
  | { key: 'failed'; message: string }
  | { key: 'timeoutIn'; durationMs: number; capabilityId: string }
  | { key: 'timeout'; durationMs: number }
  | { key: 'stopped'; done: number };

function waitsForPerson({ question, approvals }: Pick<TracedRun, 'question' | 'approvals'>): boolean {
  return question?.state === 'OPEN' || approvals.some(({ state }) => state === 'OPEN');
}

/** Says how a run came out. A failure names the call it lies in, where it lies in one. */
export function outcomeOf(run: Omit<TracedRun, 'viewing' | 'revealedUntil'>): Outcome {
  const durationMs = run.durationMs ?? 0;
  const calls = run.callsSucceeded + run.callsFailed;
  switch (run.state) {
    case 'QUEUED':
      return { key: 'queued', place: run.queuePlace };
    case 'RUNNING':
      return { key: 'running', steps: run.stepCount, done: calls };
    case 'WAITING':
      return { key: 'waiting', tasks: waitsForPerson(run) ? 0 : run.tasks.filter(({ state }) => !hasEnded(state)).length };
    case 'FINISH_OK':
      return run.callsFailed > 0
        ? { key: 'finishedWithFailures', durationMs, failed: run.callsFailed, calls }
        : { key: 'finished', durationMs, steps: run.stepCount, calls };
    case 'FINISH_ERROR': {
      const message = run.error?.message ?? '';
      const failed = run.invocations.findLast(({ state }) => state === 'FAILED');
      return failed
        ? { key: 'failedIn', capabilityId: failed.capabilityId, attempt: failed.attempt, message: failed.error?.message ?? message }
        : { key: 'failed', message };
    }
    case 'TIMEOUT': {
      const open = run.invocations.findLast(({ finishedAt }) => finishedAt === null);
      return open ? { key: 'timeoutIn', durationMs, capabilityId: open.capabilityId } : { key: 'timeout', durationMs };
    }
    default:
      return { key: 'stopped', done: run.callsSucceeded };
  }
}
