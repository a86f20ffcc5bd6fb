import { compileSchema, contains, scanTokens } from '#lib/capabilities/index.ts';
import type { JsonObject } from '#lib/kernel/index.ts';
import type { WeighingContext } from './clause-fit.ts';
import type { Clause } from './clause-grouping.ts';

/** What joins the subjects of one question. */
const ENUMERATION = /^\s*(?:、|,? ?and(?: the)?|&|和|与|跟|及|以及)\s*$/;

/**
 * 图书馆和食堂几点关门 asks the same of two subjects: the query of the call for the first gets the words that follow the
 * last. Other arguments, and calls that no such clause follows, come back as they are.
 */
export function completeQuery(args: JsonObject, clauses: readonly Clause[], position: number, context: WeighingContext): JsonObject {
  const clause = clauses[position];
  if (!clause?.fit || !isEnumerated(clauses, position, context)) return args;
  const query = compileSchema(clause.fit.capability.inputSchema).hints.find((hint) => hint.source === 'clause');
  const said = query && args[query.name];
  const last = context.tokens.findLast((token) => contains(clause, token));
  if (!query || typeof said !== 'string' || !last || !clause.fit.subject.spans.some((span) => contains(span, last))) return args;
  const tail = wordsAfterSubject(clauses, position + 1, context);
  if (scanTokens(tail).length === 0 && !/\p{Script=Han}/u.test(tail)) return args;
  return { ...args, [query.name]: /\p{Script=Han}$/u.test(said) ? `${said}${tail}` : `${said} ${tail}` };
}

/** Whether the next clause asks the same capability and is joined by no more than an "and". */
function isEnumerated(clauses: readonly Clause[], position: number, { features }: WeighingContext): boolean {
  const clause = clauses[position];
  const next = clauses[position + 1];
  if (!clause?.fit || !next?.fit || next.fit.capability.id !== clause.fit.capability.id) return false;
  return ENUMERATION.test(features.folded.slice(clause.end, next.start));
}

/** What a clause says of the subject it begins with; that of the next one when it names no more than the subject. */
function wordsAfterSubject(clauses: readonly Clause[], position: number, context: WeighingContext): string {
  const clause = clauses[position];
  const first = clause && context.tokens.find((token) => contains(clause, token));
  const spans = [...(clause?.fit?.subject.spans ?? [])].sort((a, b) => a.start - b.start);
  if (!clause || !first || !spans.some((span) => contains(span, first))) return '';
  const end = spans.reduce((reached, span) => (span.start <= reached ? Math.max(reached, span.end) : reached), first.end);
  const words = context.features.raw.slice(end, clause.end).trim();
  return words === '' && isEnumerated(clauses, position, context) ? wordsAfterSubject(clauses, position + 1, context) : words;
}
