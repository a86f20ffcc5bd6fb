import type { Id, TenantScope } from '#lib/kernel/index.ts';
import type { RunEventView } from './contract.ts';
import type { RunEventBatch, RunFeed, RunReader } from './ports.ts';

/** Read from the database at a time: a reader that is far behind must not hold a whole log in memory. */
const PAGE = 500;

/**
 * A run's log from `after` on, in order and without a gap, on any instance: first what is stored, then what is written. Ends
 * after STREAM_DONE, at once when that is behind `after`; or when the signal fires. A consumer that stops early unsubscribes.
 * Those that share `turns` hold one page between them, however slow their consumer.
 */
export async function* tailRun(
  { reader, feed }: { reader: RunReader; feed: RunFeed },
  run: { scope: TenantScope; runId: Id<'run'>; after: number; signal: AbortSignal; turns?: ReadingTurns },
): AsyncGenerator<RunEventView[], void, undefined> {
  const inbox = new Inbox(feed, run.runId, run.signal);
  let after = run.after;
  try {
    while (!run.signal.aborted) {
      const written = inbox.take(after);
      if (written.length > 0) {
        after = written.at(-1)?.seq ?? after;
        yield written;
        if (written.some(isLast)) return;
        continue;
      }
      if (!inbox.mustRead) {
        await inbox.news();
        continue;
      }
      inbox.mustRead = false;
      // Given back at the end of this round, when the consumer has asked for more.
      using turn = await run.turns?.take();
      void turn;
      const { items, lastSeq, isEnded } = await reader.events(run.scope, run.runId, after, PAGE);
      if (items.length > 0) {
        after = items.at(-1)?.seq ?? after;
        if (items.length === PAGE) inbox.mustRead = true;
        yield items;
        if (items.some(isLast)) return;
      } else if (isEnded && after >= lastSeq) return;
    }
  } finally {
    inbox.close();
  }
}

/** Readings that take turns: the next begins when what the one before has read was passed on. */
export class ReadingTurns {
  #before: Promise<void> = Promise.resolve();

  async take(): Promise<Disposable> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#before;
    this.#before = promise;
    await before;
    return { [Symbol.dispose]: resolve };
  }
}

function isLast(event: RunEventView): boolean {
  return event.type === 'STREAM_DONE';
}

/** What has been told since the last look; bounded, since a slow reader falls back to the database. */
class Inbox {
  mustRead = true;
  #batches: RunEventBatch[] = [];
  #wake: (() => void) | null = null;
  readonly #runId: Id<'run'>;
  readonly #signal: AbortSignal;
  readonly #unsubscribe: () => void;
  readonly #onAbort = () => this.#ring();

  constructor(feed: RunFeed, runId: Id<'run'>, signal: AbortSignal) {
    this.#runId = runId;
    this.#signal = signal;
    this.#unsubscribe = feed.subscribe(runId, (batch) => {
      if (batch && this.#batches.length < 100) this.#batches.push(batch);
      else this.mustRead = true;
      this.#ring();
    });
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Told entries that continue at `after`. A gap means that another process wrote: read instead. */
  take(after: number): RunEventView[] {
    const taken: RunEventView[] = [];
    let next = after + 1;
    for (const batch of this.#batches) {
      if (batch.firstSeq > next) {
        this.mustRead = true;
        break;
      }
      for (const [index, event] of batch.events.entries()) {
        if (batch.firstSeq + index !== next) continue;
        taken.push({ runId: this.#runId, seq: next, type: event.type, at: event.at.toISOString(), payload: { ...event.payload } });
        next += 1;
      }
    }
    this.#batches = [];
    return taken;
  }

  async news(): Promise<void> {
    if (this.#batches.length > 0 || this.mustRead || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  close(): void {
    this.#unsubscribe();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #ring(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
