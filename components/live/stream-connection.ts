import { z } from 'zod';
import { type RunEventView, runEventView } from '#lib/supervisor/contract.ts';
import { backOffMs } from './back-off.ts';
import { type EventFrame, readEventFrames } from './event-frames.ts';

/** What comes out of a connection, in the order of each run's log. */
export type StreamMessage =
  /** `previous`: the position of this run's stream before the event; nothing lies between the two. */
  | { kind: 'event'; previous: number; event: RunEventView }
  /** The run has ended and everything it logged has been delivered: `position` is where its stream stood then. */
  | { kind: 'end'; runId: string; position: number }
  /** There is no such run for this reader (any more). */
  | { kind: 'missing'; runId: string };

export type ConnectionStatus =
  | { state: 'idle' }
  | { state: 'connecting' }
  | { state: 'live' }
  /** Lost at `since`, next attempt at `retryAt` (both epoch ms). */
  | { state: 'lost'; since: number; retryAt: number }
  /** The server answered that we may not: signed out, or no longer a member. No further attempt is made. */
  | { state: 'refused'; httpStatus: number };

/** The server sends a comment at least every 15 s; a connection silent for longer than this is dead. */
const SILENCE_MS = 40_000;
const OVER = z.object({ runId: z.string() });

interface StreamConnectionOptions {
  /** The address that streams these runs, each from after the given sequence number. */
  urlFor: (positions: ReadonlyMap<string, number>) => string;
  onMessage: (message: StreamMessage) => void;
  onStatus: (status: ConnectionStatus) => void;
}

/**
 * One server-sent-events connection that carries many runs. It remembers where each run's stream stands, reconnects with
 * back-off from exactly there, and delivers each event once. It closes by itself when no run is wanted.
 */
export class StreamConnection {
  readonly #options: StreamConnectionOptions;
  readonly #positions = new Map<string, number>();
  #attempt: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lostAt: number | undefined;

  constructor(options: StreamConnectionOptions) {
    this.#options = options;
  }

  /** Streams `runId` from after `after`; a run that is already past it is streamed again from there. */
  want(runId: string, after: number): void {
    const position = this.#positions.get(runId);
    if (position !== undefined && position <= after) return;
    this.#positions.set(runId, after);
    // What the present connection still brings belongs to the old position: nothing of it may be taken from here on.
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#schedule(0);
  }

  drop(runId: string): void {
    if (!this.#positions.delete(runId) || this.#positions.size > 0) return;
    this.#stop();
    this.#options.onStatus({ state: 'idle' });
  }

  /** Tries again now instead of at the end of the back-off. */
  retryNow(): void {
    if (this.#positions.size > 0 && this.#lostAt !== undefined) this.#schedule(0);
  }

  close(): void {
    this.#positions.clear();
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#failures = 0;
    this.#lostAt = undefined;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), delayMs);
  }

  async #connect(): Promise<void> {
    this.#attempt?.abort();
    const attempt = new AbortController();
    this.#attempt = attempt;
    if (this.#lostAt === undefined) this.#options.onStatus({ state: 'connecting' });
    let watch: ReturnType<typeof setTimeout> | undefined;
    const onBeat = () => {
      clearTimeout(watch);
      watch = setTimeout(() => attempt.abort(), SILENCE_MS);
    };
    try {
      onBeat();
      const response = await fetch(this.#options.urlFor(this.#positions), {
        headers: { accept: 'text/event-stream' },
        cache: 'no-store',
        signal: attempt.signal,
      });
      if (this.#attempt !== attempt) return;
      if ([401, 403, 404].includes(response.status)) {
        this.#stop();
        this.#options.onStatus({ state: 'refused', httpStatus: response.status });
        return;
      }
      if (response.ok && response.body) {
        this.#failures = 0;
        this.#lostAt = undefined;
        this.#options.onStatus({ state: 'live' });
        await readEventFrames(response.body, {
          onBeat,
          onFrame: (frame) => {
            if (this.#attempt === attempt) this.#accept(frame);
          },
        });
      }
    } catch {
      // A broken connection is an ordinary event here: whatever broke it, the answer is to try again from where we stand.
    } finally {
      clearTimeout(watch);
    }
    if (this.#attempt === attempt && this.#positions.size > 0) this.#lose();
  }

  #lose(): void {
    const now = Date.now();
    this.#lostAt ??= now;
    const delayMs = backOffMs(this.#failures);
    this.#failures += 1;
    this.#options.onStatus({ state: 'lost', since: this.#lostAt, retryAt: now + delayMs });
    this.#schedule(delayMs);
  }

  #accept(frame: EventFrame): void {
    const value = parseJson(frame.data);
    if (frame.type === 'done' || frame.type === 'not-found') {
      const over = OVER.safeParse(value);
      const position = over.success ? this.#positions.get(over.data.runId) : undefined;
      if (!over.success || position === undefined) return;
      const { runId } = over.data;
      this.#options.onMessage(frame.type === 'done' ? { kind: 'end', runId, position } : { kind: 'missing', runId });
      this.drop(runId);
      return;
    }
    if (frame.type === 'supervisor_result') return;
    const parsed = runEventView.safeParse(value);
    if (!parsed.success) return;
    const event = parsed.data;
    const previous = this.#positions.get(event.runId);
    if (previous === undefined || event.seq <= previous) return;
    this.#positions.set(event.runId, event.seq);
    this.#options.onMessage({ kind: 'event', previous, event });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
