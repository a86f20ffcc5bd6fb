import { type Id, isAppError } from '#lib/kernel/index.ts';
import { ReadingTurns, type RunEventView, type SupervisorResult } from '#lib/supervisor/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';

/** What the streaming routes need of the application. */
export interface RunSource {
  /** What the run has come to, as this reader may see it. Throws `not_found` when they may not. */
  getResult(actor: Actor, runId: Id<'run'>): Promise<SupervisorResult>;
  /** Its log, as this reader may see it. */
  followRun(
    actor: Actor,
    run: { runId: Id<'run'>; after: number; signal: AbortSignal; turns?: ReadingTurns; isJustSubmitted?: boolean },
  ): AsyncGenerator<RunEventView[], void, undefined>;
}

/** A batch of server-sent events, as text. */
type Frames = AsyncGenerator<string, void, undefined>;

/**
 * One run's log as server-sent events: `id:` is the sequence number, so that `Last-Event-ID` resumes exactly. After the end
 * of the log come `supervisor_result` and `done` (requirement P-25), which have no id: they are always sent again.
 */
export async function* runFrames(
  source: RunSource,
  run: { actor: Actor; runId: Id<'run'>; after: number; signal: AbortSignal; isJustSubmitted?: boolean },
): Frames {
  for await (const batch of source.followRun(run.actor, run)) {
    yield batch.map((event) => frame({ id: String(event.seq), event: event.type, data: event })).join('');
  }
  if (!run.signal.aborted) yield closingFrames(await source.getResult(run.actor, run.runId));
}

/** Several runs' logs on one stream, as they come; ids are `run:seq`. A run that is not there gets `not-found`. */
export async function* multiplexedFrames(
  source: RunSource,
  request: { actor: Actor; runs: readonly { runId: Id<'run'>; after: number }[]; signal: AbortSignal },
): Frames {
  const { actor, signal } = request;
  const turns = new ReadingTurns();
  yield* merge(
    request.runs.map(({ runId, after }) =>
      (async function* (): Frames {
        try {
          for await (const batch of source.followRun(actor, { runId, after, signal, turns })) {
            yield batch.map((event: RunEventView) => frame({ id: `${runId}:${event.seq}`, event: event.type, data: event })).join('');
          }
        } catch (error) {
          // One that could not be read is not one that is not there: its reader comes again.
          if (!isAppError(error) || error.code !== 'not_found') throw error;
          yield frame({ event: 'not-found', data: { runId } });
          return;
        }
        if (!signal.aborted) yield closingFrames(await source.getResult(actor, runId));
      })(),
    ),
  );
}

function closingFrames(result: SupervisorResult): string {
  const { sessionId, preset } = result;
  const { runId } = result.snapshot;
  return frame({ event: 'supervisor_result', data: { ...result, runId } }) + frame({ event: 'done', data: { sessionId, preset, runId } });
}

function frame(event: { id?: string; event: string; data: unknown }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** Yields what any of the generators yields, as soon as it does; ends when all have. */
async function* merge(generators: readonly Frames[]): Frames {
  const next = (generator: Frames) => generator.next().then((result) => ({ generator, result }));
  const pending = new Map(generators.map((generator) => [generator, next(generator)]));
  try {
    while (pending.size > 0) {
      const { generator, result } = await Promise.race(pending.values());
      if (result.done) pending.delete(generator);
      else {
        pending.set(generator, next(generator));
        yield result.value;
      }
    }
  } finally {
    await Promise.all(generators.map((generator) => generator.return()));
  }
}
