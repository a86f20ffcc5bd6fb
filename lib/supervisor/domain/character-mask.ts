import type { Span } from '#lib/capabilities/index.ts';

/** A number for each character of a text, so that many spans are weighed in time proportional to their length. */
export class CharacterMask {
  readonly #values: Float32Array;

  constructor(length: number) {
    this.#values = new Float32Array(length);
  }

  /** Raises every character of the span to at least `value`. */
  raise(span: Span, value: number): void {
    for (let at = Math.max(0, span.start); at < Math.min(span.end, this.#values.length); at += 1) {
      if ((this.#values[at] ?? 0) < value) this.#values[at] = value;
    }
  }

  /** The lowest value within a span; 0 beyond the text. */
  lowest(span: Span): number {
    let lowest = span.end > span.start ? Number.POSITIVE_INFINITY : 0;
    for (let at = span.start; at < span.end; at += 1) lowest = Math.min(lowest, this.#values[at] ?? 0);
    return lowest;
  }
}
