import type { Json } from '#lib/kernel/index.ts';
import type { ArgumentHints } from './argument-hints.ts';
import type { Span } from './folded-text.ts';

/** A value found in the text that some argument may take. */
export interface ArgumentCandidate extends Span {
  readonly value: Json;
}

/** Beyond these, what stands later in the text is not considered: requests name few values. */
const CANDIDATE_LIMIT = 6;
const ARGUMENT_LIMIT = 5;

/** That an argument has a value at all. */
const FILLED = 1;
/** Values in the order of the arguments. */
const IN_ORDER = 0.1;

/**
 * Which argument takes which candidate, so that markers and nearness (`scoreOf`, 0 for neither) agree best over all of them;
 * where they say nothing, the order in which both stand decides. `mayTake` rules pairs out.
 */
export function assignCandidates<Candidate extends ArgumentCandidate>(
  hints: readonly ArgumentHints[],
  candidates: readonly Candidate[],
  scoreOf: (hint: ArgumentHints, candidate: Candidate) => number,
  mayTake: (hint: ArgumentHints, candidate: Candidate) => boolean,
): Map<ArgumentHints, Candidate> {
  const open = hints.slice(0, ARGUMENT_LIMIT);
  const usable = candidates.slice(0, CANDIDATE_LIMIT);
  let best: { score: number; pairs: readonly (readonly [ArgumentHints, Candidate])[] } = { score: 0, pairs: [] };
  const search = (position: number, score: number, pairs: readonly (readonly [ArgumentHints, Candidate])[]): void => {
    const hint = open[position];
    if (!hint) {
      if (score > best.score) best = { score, pairs };
      return;
    }
    for (const candidate of usable) {
      if (pairs.some(([, taken]) => taken === candidate) || !mayTake(hint, candidate)) continue;
      const last = pairs.at(-1)?.[1];
      const order = !last || last.start < candidate.start ? IN_ORDER : 0;
      search(position + 1, score + FILLED + order + scoreOf(hint, candidate), [...pairs, [hint, candidate]]);
    }
    search(position + 1, score, pairs);
  };
  search(0, 0, []);
  return new Map(best.pairs);
}
