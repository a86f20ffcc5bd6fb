import { ModelError } from './model-error.ts';

/** In characters. No tool is asked with more; the largest files that people write by tools are a tenth of it. */
export const ARGUMENTS_LIMIT = 1_048_576;
/** In characters: of all that one answer says, thinks and asks for. Ten times what models of today write at once. */
export const ANSWER_LIMIT = 8 * 1_048_576;

/** Counts what one answer has brought so far, so that a model that does not stop is stopped (requirement H-24). */
export class AnswerMeter {
  #total = 0;
  readonly #ofCall = new Map<string, number>();

  /** Throws `ModelError` (`cut-off`) when the answer is longer than any may be. */
  add(characters: number): void {
    this.#total += characters;
    if (this.#total > ANSWER_LIMIT) throw tooLong(`more than ${ANSWER_LIMIT} characters`);
  }

  /** Throws `ModelError` (`cut-off`) when the arguments of one call, or the answer, are longer than any may be. */
  addToCall(callId: string, characters: number): void {
    const ofCall = (this.#ofCall.get(callId) ?? 0) + characters;
    this.#ofCall.set(callId, ofCall);
    if (ofCall > ARGUMENTS_LIMIT) throw tooLong(`more than ${ARGUMENTS_LIMIT} characters of arguments for one call`);
    this.add(characters);
  }
}

function tooLong(what: string): ModelError {
  return new ModelError({ kind: 'cut-off', message: `The model wrote ${what}, and was stopped.` });
}
