import { toOtlpJson } from './otlp-json.ts';
import type { Span } from './span.ts';

export interface TraceExporterOptions<Trace> {
  /** Where the collector takes traces, whole: `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  readonly headers: { readonly [name: string]: string };
  readonly resource: { readonly [name: string]: string };
  readonly fetch: typeof globalThis.fetch;
  /** The spans of one trace, read when they are sent; none where there is no such trace any more. */
  readonly read: (trace: Trace) => Promise<readonly Span[]>;
  readonly log: { info(context: object, message: string): void; warn(context: object, message: string): void };
  readonly count: (outcome: 'sent' | 'refused' | 'dropped', traces: number) => void;
  /** Traces that wait at most; the oldest give way. */
  readonly mostWaiting?: number;
  /** How long is waited for others that may go along. */
  readonly lingerMs?: number;
  /** After a failure; doubled with each further one, up to a minute. */
  readonly retryMs?: number;
  readonly timeoutMs?: number;
}

/** Traces that one request carries at most. */
const BATCH = 20;
const LONGEST_WAIT_MS = 60_000;

/**
 * Sends traces to a collector over OTLP/HTTP, after the work they tell of. What waits is only named: its spans are read when
 * it is sent, so a collector that is away costs a few names and nothing else. Nobody waits for it, and it throws nothing.
 */
export class TraceExporter<Trace> {
  readonly #options: TraceExporterOptions<Trace>;
  #waiting: Trace[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #failures = 0;
  #isStopping = false;

  constructor(options: TraceExporterOptions<Trace>) {
    this.#options = options;
  }

  offer(trace: Trace): void {
    const { mostWaiting = 1_000, lingerMs = 1_000 } = this.#options;
    this.#waiting.push(trace);
    if (this.#waiting.length > mostWaiting) this.#drop(this.#waiting.length - mostWaiting);
    this.#schedule(lingerMs);
  }

  /** Sends what waits, for so long at most, and then no more. */
  async stop(drainMs: number): Promise<void> {
    this.#isStopping = true;
    this.#clearTimer();
    const late = new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([this.#sendAll(), late]);
    this.#drop(this.#waiting.length);
  }

  #schedule(waitMs: number): void {
    if (this.#timer || this.#sending || this.#isStopping) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#sending = this.#sendAll().finally(() => {
        this.#sending = null;
        if (this.#waiting.length > 0) this.#schedule(this.#waitMs());
      });
    }, waitMs);
    // A process that has nothing else to do may end.
    this.#timer.unref();
  }

  /** Until nothing waits or something fails. */
  async #sendAll(): Promise<void> {
    await this.#sending;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      const outcome = await this.#send(batch).catch((error: unknown) => ({ error }));
      if (outcome === 'sent' || outcome === 'refused') {
        if (this.#failures > 0) this.#options.log.info({}, 'the trace collector answers again');
        this.#failures = 0;
        this.#options.count(outcome, batch.length);
        continue;
      }
      if (this.#failures === 0) this.#options.log.warn(outcome, 'traces could not be sent; they are tried again');
      this.#failures += 1;
      const { mostWaiting = 1_000 } = this.#options;
      this.#waiting = [...batch, ...this.#waiting];
      if (this.#waiting.length > mostWaiting) this.#drop(this.#waiting.length - mostWaiting);
      return;
    }
  }

  async #send(batch: readonly Trace[]): Promise<'sent' | 'refused' | { readonly status: number }> {
    const { endpoint, headers, resource, read, timeoutMs = 10_000, log } = this.#options;
    const spans = (await Promise.all(batch.map(read))).flat();
    if (spans.length === 0) return 'sent';
    const response = await this.#options.fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(toOtlpJson(spans, resource)),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return 'sent';
    if (response.status === 429 || response.status >= 500) return { status: response.status };
    // Sent again, it would be refused again.
    log.warn({ status: response.status, traces: batch.length }, 'the trace collector refused traces');
    return 'refused';
  }

  #waitMs(): number {
    const { retryMs = 1_000, lingerMs = 1_000 } = this.#options;
    return this.#failures === 0 ? lingerMs : Math.min(LONGEST_WAIT_MS, retryMs * 2 ** (this.#failures - 1));
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#waiting.splice(0, count);
    this.#options.count('dropped', count);
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
