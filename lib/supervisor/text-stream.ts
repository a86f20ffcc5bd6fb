import type { Clock } from '#lib/kernel/index.ts';
import type { AnswerText } from './domain/answer-text.ts';
import type { RunEventEntry } from './domain/boundary.ts';
import type { RunWriter } from './run-writer.ts';

/** While text flows, it is put on its way this often, and leaves within 100 ms with what other runs say; first words leave at once. */
const FLUSH_MS = 80;

/** One step's text on its way to the event log: gathered, and flushed at least every 100 ms (`design.md` section 3). */
export class TextStream {
  readonly #writer: RunWriter;
  readonly #answer: AnswerText;
  readonly #clock: Clock;
  readonly #step: number;
  readonly #attempt: number;
  readonly #separator: string;
  #gathered = '';
  #said = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { writer: RunWriter; answer: AnswerText; clock: Clock; step: number; attempt: number; separator: string }) {
    this.#writer = options.writer;
    this.#answer = options.answer;
    this.#clock = options.clock;
    this.#step = options.step;
    this.#attempt = options.attempt;
    this.#separator = options.separator;
  }

  /** Readers saw a part of this step's text before the process ended: they drop it, it is said again. */
  forgetEarlierAttempt(): void {
    if (this.#answer.of(this.#step) === '') return;
    this.#answer.reset(this.#step);
    this.#writer.defer({ events: [{ type: 'text-reset', at: this.#clock.now(), payload: { step: this.#step, attempt: this.#attempt } }] });
  }

  /** What the handler has said so far. */
  get heard(): string {
    return this.#said + this.#gathered;
  }

  push(delta: string): void {
    this.#gathered += delta;
    // What comes within one turn of the event loop is one piece.
    this.#timer ??= setTimeout(() => this.#post(), this.#said === '' ? 0 : FLUSH_MS);
  }

  /** Puts what was gathered on its way with what follows; a failure meets the driver at its next write. */
  flush(): void {
    this.close();
    const events = this.#take();
    if (events.length > 0) this.#writer.defer({ events });
  }

  #post(): void {
    this.close();
    const events = this.#take();
    if (events.length > 0) this.#writer.post({ events });
  }

  /** What is still to be said once the whole text is known. */
  rest(whole: string): readonly RunEventEntry[] {
    if (whole.startsWith(this.heard)) this.#gathered += whole.slice(this.heard.length);
    return this.#take();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #take(): RunEventEntry[] {
    if (this.#gathered === '') return [];
    const text = this.#said === '' ? this.#separator + this.#gathered : this.#gathered;
    this.#said += this.#gathered;
    this.#gathered = '';
    this.#answer.append(this.#step, text);
    return [{ type: 'text-delta', at: this.#clock.now(), payload: { step: this.#step, attempt: this.#attempt, text } }];
  }
}
