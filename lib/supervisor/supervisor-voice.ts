import type { AgentVoice } from '#lib/agents/index.ts';
import type { Clock } from '#lib/kernel/index.ts';
import type { AnswerText } from './domain/answer-text.ts';
import type { Run } from './domain/run.ts';
import { ReasoningStream } from './reasoning-stream.ts';
import type { RunWriter } from './run-writer.ts';
import { TextStream } from './text-stream.ts';

export interface VoiceInputs {
  readonly run: Pick<Run, 'epoch'>;
  readonly writer: RunWriter;
  readonly answer: AnswerText;
  readonly clock: Clock;
}

/** The supervisor's own words, on their way to the reader: text as the answer, reasoning apart. */
export class SupervisorVoice implements AgentVoice {
  readonly #inputs: VoiceInputs;
  readonly #texts = new Map<number, TextStream>();
  readonly #reasoning: ReasoningStream;

  constructor(inputs: VoiceInputs) {
    this.#inputs = inputs;
    this.#reasoning = new ReasoningStream({ writer: inputs.writer, clock: inputs.clock });
  }

  text(call: number, delta: string): void {
    this.#reasoning.flush();
    this.#textOf(call).push(delta);
  }

  reasoning(call: number, delta: string): void {
    this.#reasoning.push(call, delta);
  }

  restart(call: number): void {
    this.#textOf(call).forgetEarlierAttempt();
  }

  /** Puts what was gathered on its way. */
  flush(): void {
    this.#reasoning.flush();
    for (const stream of this.#texts.values()) stream.flush();
  }

  #textOf(call: number): TextStream {
    const { writer, answer, clock, run } = this.#inputs;
    const known = this.#texts.get(call);
    if (known) return known;
    for (const stream of this.#texts.values()) stream.flush();
    // What stands there of this very call is an earlier attempt at it, about to be dropped.
    const separator = answer.whole() === answer.of(call) ? '' : '\n\n';
    const stream = new TextStream({ writer, answer, clock, step: call, attempt: run.epoch, separator });
    this.#texts.set(call, stream);
    return stream;
  }
}
