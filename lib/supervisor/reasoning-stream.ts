import type { Clock } from '#lib/kernel/index.ts';
import type { RunWriter } from './run-writer.ts';

const FLUSH_MS = 100;

/** A model's reasoning on its way to the event log, apart from the answer (known fault K20). */
export class ReasoningStream {
  readonly #writer: RunWriter;
  readonly #clock: Clock;
  #step = 0;
  #gathered = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { writer: RunWriter; clock: Clock }) {
    this.#writer = options.writer;
    this.#clock = options.clock;
  }

  push(step: number, delta: string): void {
    if (step !== this.#step) this.flush();
    this.#step = step;
    this.#gathered += delta;
    this.#timer ??= setTimeout(() => this.#send('post'), FLUSH_MS);
  }

  flush(): void {
    this.#send('defer');
  }

  #send(how: 'post' | 'defer'): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gathered === '') return;
    this.#writer[how]({
      events: [{ type: 'reasoning-delta', at: this.#clock.now(), payload: { step: this.#step, text: this.#gathered } }],
    });
    this.#gathered = '';
  }
}
