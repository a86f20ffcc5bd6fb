/** The text of an answer as readers see it grow: by step, with every step's newest attempt only. */
export class AnswerText {
  readonly #bySteps: Map<number, string>;

  constructor(shown: ReadonlyMap<number, { readonly text: string }> = new Map()) {
    this.#bySteps = new Map([...shown].map(([step, { text }]) => [step, text]));
  }

  of(step: number): string {
    return this.#bySteps.get(step) ?? '';
  }

  /** Whether something stands before this step's text. */
  hasBefore(step: number): boolean {
    return [...this.#bySteps].some(([other, text]) => other < step && text !== '');
  }

  append(step: number, text: string): void {
    this.#bySteps.set(step, this.of(step) + text);
  }

  reset(step: number): void {
    this.#bySteps.delete(step);
  }

  /** All steps in order; the parts carry their own separators. */
  whole(): string {
    return [...this.#bySteps.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, text]) => text)
      .join('');
  }
}
