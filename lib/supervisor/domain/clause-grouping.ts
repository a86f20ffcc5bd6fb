import type { Span } from '#lib/capabilities/index.ts';
import { type ClauseFit, type WeighingContext, weighClause } from './clause-fit.ts';
import type { Segment } from './clauses.ts';

/** A part of the message that is one request; `fit` is null when nothing here answers it. */
export interface Clause extends Span {
  readonly fit: ClauseFit | null;
  /** All that were weighed, for the record. */
  readonly weighed: readonly ClauseFit[];
}

/** A capability is chosen from here on, ... */
export const FIT_THRESHOLD = 0.5;
/** ... and below this only when it leads the next by `FIT_MARGIN`. */
const CLEAR_FIT = 0.6;
const FIT_MARGIN = 0.05;

/** What a further step must bring: else one request falls apart into its phrases. */
const STEP_COST = 0.3;
/** A request with something missing is worth less than a complete one, so that phrases stay with what they complete. */
const INCOMPLETE_SHARE = 0.6;
const SENTENCE_COST = 0.12;
/** A phrase that answers to nothing rather belongs to its neighbour, if that can take it. */
const UNANSWERED_COST = 0.1;
/** Segments that one request may span. */
const SPAN_LIMIT = 6;

/**
 * Groups the segments of a message into requests so that the whole is answered best: the grouping with the highest sum of
 * fits, each step bearing a cost. A phrase that means nothing alone thus joins the request it completes, and one that asks
 * for something else becomes its own.
 */
export function groupSegments(context: WeighingContext, segments: readonly Segment[]): Clause[] {
  // best[i]: the best grouping of the first i segments.
  const best: { value: number; clauses: readonly Clause[] }[] = [{ value: 0, clauses: [] }];
  for (let end = 1; end <= segments.length; end += 1) {
    let winner: { value: number; clauses: readonly Clause[] } | null = null;
    for (let start = Math.max(0, end - SPAN_LIMIT); start < end; start += 1) {
      const before = best[start];
      const group = segments.slice(start, end);
      if (!before) continue;
      const { clause, value } = appraise(context, group);
      if (!winner || before.value + value > winner.value) winner = { value: before.value + value, clauses: [...before.clauses, clause] };
    }
    best.push(winner ?? { value: 0, clauses: [] });
  }
  return joinRepeatedChanges(context, best.at(-1)?.clauses ?? []);
}

/** Two phrases in a row that ask for the same change in free words alone are one request, told in two phrases. */
function joinRepeatedChanges(context: WeighingContext, clauses: readonly Clause[]): Clause[] {
  const joined: Clause[] = [];
  for (const clause of clauses) {
    const last = joined.at(-1);
    const isRepeated =
      last?.fit && clause.fit && last.fit.capability.id === clause.fit.capability.id && clause.fit.capability.sideEffect !== 'read';
    if (last && isRepeated && [last, clause].some(isFreeText)) {
      const span = { start: last.start, end: clause.end };
      const weighed = weighClause(context, span);
      const fit = weighed.find((entry) => entry.capability.id === clause.fit?.capability.id) ?? null;
      joined[joined.length - 1] = { ...span, fit, weighed };
    } else joined.push(clause);
  }
  return joined;
}

/** Nothing but free text was found in it. */
function isFreeText({ fit }: Clause): boolean {
  return fit?.extraction.evidence.every((item) => item.source === 'text' || item.source === 'clause') ?? false;
}

function appraise(context: WeighingContext, group: readonly Segment[]): { clause: Clause; value: number } {
  const span = { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 };
  const weighed = weighClause(context, span);
  const fit = choose(weighed);
  const sentences = group.slice(1).filter((segment) => segment.boundary === 'sentence').length;
  const value = fit
    ? fit.score * (fit.extraction.missing.length > 0 ? INCOMPLETE_SHARE : 1) - STEP_COST - sentences * SENTENCE_COST
    : -UNANSWERED_COST * group.length - sentences * SENTENCE_COST;
  return { clause: { ...span, fit, weighed }, value };
}

/** The best fit if it is good enough, and clearly better than the next unless it is good anyhow. */
function choose(weighed: readonly ClauseFit[]): ClauseFit | null {
  const [first, second] = weighed;
  if (!first || first.score < FIT_THRESHOLD) return null;
  return first.score >= CLEAR_FIT || first.score - (second?.score ?? 0) >= FIT_MARGIN ? first : null;
}
