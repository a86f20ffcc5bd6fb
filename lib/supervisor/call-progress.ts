import type { CallProgress } from '#lib/capabilities/index.ts';
import type { Clock } from '#lib/kernel/index.ts';
import type { RunWriter } from './run-writer.ts';

/** Twice a second at most, and ever more seldom the longer a call takes: an hour comes to some 300 events. */
const SHORTEST_PAUSE_MS = 500;
const PAUSES_OF_ELAPSED = 50;
const EVENT_LIMIT = 500;
const MESSAGE_CHARACTERS = 200;

/**
 * What a call tells of its progress, on its way to the event log: the newest word at each time, never more than the log can
 * take, whatever the other side sends (requirement H-16, known fault K11). Its words are another's, and are only shown.
 */
export class CallProgressLog {
  readonly #writer: Pick<RunWriter, 'post'>;
  readonly #clock: Clock;
  readonly #startedMs: number;
  #newest: CallProgress | null = null;
  #notBefore = 0;
  #count = 0;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;

  constructor({ writer, clock }: { readonly writer: Pick<RunWriter, 'post'>; readonly clock: Clock }) {
    this.#writer = writer;
    this.#clock = clock;
    this.#startedMs = clock.now().getTime();
  }

  push(told: CallProgress): void {
    if (this.#isClosed || this.#count >= EVENT_LIMIT || !Number.isFinite(told.progress)) return;
    this.#newest = told;
    if (this.#timer) return;
    const waitMs = this.#notBefore - this.#clock.now().getTime();
    if (waitMs <= 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), waitMs).unref();
  }

  /** The call has ended: what was not sent yet is of no interest any more. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #send(): void {
    this.#timer = null;
    const told = this.#newest;
    if (!told) return;
    this.#newest = null;
    const at = this.#clock.now();
    this.#count += 1;
    this.#notBefore = at.getTime() + Math.max(SHORTEST_PAUSE_MS, (at.getTime() - this.#startedMs) / PAUSES_OF_ELAPSED);
    const { invocationId, progress, total, message } = told;
    const isKnown = total !== null && Number.isFinite(total) && total > 0;
    const payload = { invocationId, progress, total: isKnown ? total : null, message: message === null ? null : inOneLine(message) };
    this.#writer.post({ events: [{ type: 'tool-progress', at, payload }] });
  }
}

function inOneLine(text: string): string {
  const line = text
    .slice(0, MESSAGE_CHARACTERS * 4)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, MESSAGE_CHARACTERS).join('');
}
