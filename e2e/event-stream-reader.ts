import { type IncomingHttpHeaders, request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { createParser } from 'eventsource-parser';

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** When it came, in ms after the stream was asked for. */
  readonly afterMs: number;
  /** The same instant in milliseconds since 1970. */
  readonly at: number;
}

interface StreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly json?: unknown;
}

/** Asks for a stream over a socket of its own. Rejects when it is refused. */
export function openEventStream(url: string, { headers, json }: StreamRequest): Promise<EventStreamReader> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const outgoing = request(url, {
      method: json === undefined ? 'GET' : 'POST',
      agent: false,
      headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const reader = new EventStreamReader(response.headers, startedAt, {
        drop: () => outgoing.destroy(),
        pause: () => response.pause(),
        resume: () => response.resume(),
      });
      outgoing.on('error', () => reader.close());
      const isCompressed = response.headers['content-encoding'] === 'gzip';
      const body = (isCompressed ? response.pipe(createGunzip()) : response).setEncoding('utf8');
      let refusal = '';
      body.on('error', () => reader.close());
      body.on('close', () => reader.close());
      body.on('data', (text: string) => {
        if (response.statusCode === 200) reader.feed(text);
        else refusal += text;
      });
      body.on('end', () => reject(new Error(`${url} answered ${response.statusCode}: ${refusal.slice(0, 500)}`)));
      if (response.statusCode === 200) resolve(reader);
    });
    outgoing.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** What has come over one stream, and when. */
export class EventStreamReader {
  readonly headers: IncomingHttpHeaders;
  readonly events: StreamedEvent[] = [];
  /** When each comment came, in ms after the stream was asked for. */
  readonly comments: { readonly text: string; readonly afterMs: number }[] = [];
  isClosed = false;
  readonly #startedAt: number;
  readonly #control: { drop(): void; pause(): void; resume(): void };
  #watchers: (() => void)[] = [];
  readonly #parser = createParser({
    onEvent: ({ id, event, data }) => {
      this.events.push({
        id,
        type: event ?? 'message',
        data: JSON.parse(data),
        afterMs: performance.now() - this.#startedAt,
        at: Date.now(),
      });
    },
    onComment: (text) => {
      this.comments.push({ text, afterMs: performance.now() - this.#startedAt });
    },
  });

  constructor(headers: IncomingHttpHeaders, startedAt: number, control: { drop(): void; pause(): void; resume(): void }) {
    this.headers = headers;
    this.#startedAt = startedAt;
    this.#control = control;
  }

  feed(text: string): void {
    this.#parser.feed(text);
    this.#tell();
  }

  close(): void {
    this.isClosed = true;
    this.#tell();
  }

  /** Breaks the connection as a lost network would. */
  drop(): void {
    this.#control.drop();
  }

  /** Stops to read from the socket. */
  pause(): void {
    this.#control.pause();
  }

  resume(): void {
    this.#control.resume();
  }

  /** Waits until what has come fulfils `condition`. Rejects after `withinMs`, or when the stream has ended without. */
  async until(condition: (reader: EventStreamReader) => boolean, withinMs = 15_000): Promise<void> {
    const until = performance.now() + withinMs;
    while (!condition(this)) {
      if (this.isClosed) throw new Error(`the stream ended too early, after ${this.events.length} events`);
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw new Error(`not within ${withinMs} ms: ${this.events.length} events have come`);
      await this.#news(leftMs);
    }
  }

  /** Waits for the end of the stream and gives all of it. */
  async toEnd(withinMs = 20_000): Promise<readonly StreamedEvent[]> {
    await this.until((reader) => reader.isClosed, withinMs);
    return this.events;
  }

  /** The text of an answer as this stream has told it, resets obeyed. */
  get text(): string {
    return textOf(this.events);
  }

  get deltaCount(): number {
    return this.events.filter(({ type }) => type === 'text-delta').length;
  }

  /** The last sequence number that came. */
  get lastId(): string {
    return this.events.findLast(({ id }) => id !== undefined)?.id ?? '0';
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#watchers.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #tell(): void {
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const tell of watchers) tell();
  }
}

/** The text that a log's deltas add up to. */
export function textOf(events: readonly StreamedEvent[]): string {
  const said: { step: unknown; text: string }[] = [];
  for (const { type, data } of events) {
    const { step, text } = payloadOf(data);
    if (type === 'text-reset') said.splice(0, said.length, ...said.filter((piece) => piece.step !== step));
    if (type === 'text-delta') said.push({ step, text: String(text) });
  }
  return said.map(({ text }) => text).join('');
}

export function payloadOf(data: Record<string, unknown>): Record<string, unknown> {
  return typeof data.payload === 'object' && data.payload !== null ? { ...data.payload } : {};
}

/** The sequence numbers of what came, in the order it came. */
export function sequenceOf(events: readonly StreamedEvent[]): number[] {
  return events.filter(({ id }) => id !== undefined).map(({ id }) => Number(id));
}

/** 1 to `last`: what a log without a gap looks like. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
