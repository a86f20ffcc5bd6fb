import {
  type ArgumentEvidence,
  type CapabilityIndex,
  type CapabilityMetadata,
  type CompiledSchema,
  compileSchema,
  contains,
  type Extraction,
  extractArguments,
  lexicalScore,
  OPENING_COURTESIES,
  overlaps,
  REQUEST_WINDOW,
  type RequestFeatures,
  type Span,
  type TermMatch,
  type Token,
} from '#lib/capabilities/index.ts';
import { CharacterMask } from './character-mask.ts';
import type { DocumentEvidence } from './document-coverage.ts';
import type { TopicMatch } from './ontology-topics.ts';
import { type SubjectEvidence, weighSubject } from './subject-evidence.ts';

/** How well one capability answers one clause, and with which arguments. */
export interface ClauseFit {
  readonly capability: CapabilityMetadata;
  /** 0 to 1. */
  readonly score: number;
  readonly extraction: Extraction;
  readonly matches: readonly TermMatch[];
  /** What of the clause the tenant's documents have, for a capability that answers from them. */
  readonly subject: SubjectEvidence;
}

/** A message with everything that weighing its parts needs; built once per message. */
export interface WeighingContext {
  readonly index: CapabilityIndex;
  readonly features: RequestFeatures;
  readonly tokens: readonly Token[];
  /** Per capability of the index, over the whole message. */
  readonly matches: readonly (readonly TermMatch[])[];
  readonly topics: readonly TopicMatch[];
  readonly documents: DocumentEvidence | null;
  /** 1 at the words by which capabilities that do not answer from documents are asked for. */
  readonly claimed: CharacterMask;
}

/** Capabilities weighed in full for one clause; the others have less to say for themselves. */
const SHORTLIST = 8;

/** The capabilities that fit a clause, best first. */
export function weighClause(context: WeighingContext, clause: Span): ClauseFit[] {
  const content = contentUnits(context, clause);
  const isQuestion = looksLikeQuestion(
    context.features.folded.slice(clause.start, Math.min(clause.end, clause.start + 600)),
    context.features.folded.slice(clause.end, clause.end + 2),
  );
  return context.index.capabilities
    .map((capability, position) => {
      const matches = (context.matches[position] ?? []).filter((match) => contains(clause, match));
      const schema = compileSchema(capability.inputSchema);
      return { capability, schema, matches, promise: lexicalScore(matches) + promiseOf(context, schema, clause) };
    })
    .filter((entry) => entry.promise > 0.05)
    .sort((a, b) => b.promise - a.promise)
    .slice(0, SHORTLIST)
    .map(({ capability, schema, matches }) => weigh({ context, clause, content, isQuestion, capability, schema, matches }))
    .sort((a, b) => b.score - a.score || (a.capability.id < b.capability.id ? -1 : 1));
}

/** Evidence beside words, cheaply: known values, topics, and arithmetic or numbered things that only the full look finds. */
function promiseOf(context: WeighingContext, schema: CompiledSchema, clause: Span): number {
  const values = [...new Set(schema.tables.values())].some((table) =>
    context.features.valuesOf(table).some((match) => contains(clause, match)),
  );
  const topics = schema.usesOntology && (context.documents !== null || context.topics.some((match) => contains(clause, match)));
  const telling = schema.hints.some(
    (hint) => hint.source === 'expression' || hint.source === 'pattern' || (hint.source === 'email' && context.features.emails.length > 0),
  );
  return (values ? 0.3 : 0) + (topics ? 0.6 : 0) + (telling ? 0.2 : 0);
}

interface Weighing {
  readonly context: WeighingContext;
  readonly clause: Span;
  readonly content: readonly ContentUnit[];
  readonly isQuestion: boolean;
  readonly capability: CapabilityMetadata;
  readonly schema: CompiledSchema;
  readonly matches: readonly TermMatch[];
}

/**
 * Evidence times how much of the clause it explains. Evidence is the capability's words, the arguments that only it could
 * take, and topics of the documents; each adds to what is still in doubt. What stays unexplained speaks for another task.
 */
function weigh(weighing: Weighing): ClauseFit {
  const { context, clause, capability, schema, matches, isQuestion } = weighing;
  const extraction = extractArguments({
    schema,
    features: context.features,
    clause,
    requestSpans: matches.filter((match) => isNaming(match) && match.weight >= REQUEST_WEIGHT),
  });
  const telling = matches.filter((match) => isNaming(match) || !isValue(extraction, match));
  const subject: SubjectEvidence = schema.usesOntology ? weighSubject(context, clause, isQuestion) : { weight: 0, spans: [], words: [] };
  const isMissing = extraction.missing.length > 0;
  const doubts = [1 - lexicalScore(telling), 1 - argumentEvidence(weighing, extraction) * (isMissing ? 0.4 : 1), 1 - subject.weight];
  const evidence = 1 - doubts.reduce((product, doubt) => product * doubt, 1);
  const explained = explainedShare(weighing, extraction, subject.spans);
  const unlikely =
    (isQuestion && capability.sideEffect !== 'read' ? WRITE_IN_QUESTION : 1) * (hasValuesLeft(weighing, extraction) ? VALUES_LEFT : 1);
  const score = evidence * (EXPLAINED_BASE + (1 - EXPLAINED_BASE) * explained) * (isMissing ? MISSING_FACTOR : 1) * unlikely;
  return { capability, score, extraction, matches: telling, subject };
}

/** A place or unit in an example is an argument, not a word by which the capability is asked for. */
function isValue(extraction: Extraction, span: Span): boolean {
  return extraction.evidence.some((item) => item.source === 'values' && contains(item.span, span));
}

/** More values of the capability's own than it has arguments for ("5 feet 11 inches in cm"): it would leave some out. */
function hasValuesLeft({ context, clause, schema }: Weighing, extraction: Extraction): boolean {
  const used = [...extraction.evidence.map((item) => item.span), ...(extraction.coordinated?.values ?? [])];
  const known = new Set(Object.values(extraction.arguments).flat());
  return [...new Set(schema.tables.values())].some((table) =>
    context.features
      .valuesOf(table)
      .some(
        (match) =>
          contains(clause, match) && match.end - match.start > 1 && !known.has(match.value) && !used.some((span) => overlaps(span, match)),
      ),
  );
}

/** A single Chinese character of a keyword is no request. */
const REQUEST_WEIGHT = 0.15;
const EXPLAINED_BASE = 0.35;
const MISSING_FACTOR = 0.85;
/** People seldom ask for a change with a question; "can you ..." is no question here. */
const WRITE_IN_QUESTION = 0.85;
const VALUES_LEFT = 0.75;

/** What an argument of each source says about the capability that takes it; values and patterns by how few others take them. */
const SOURCE_EVIDENCE: Readonly<Record<string, number>> = {
  values: 0.5,
  pattern: 0.6,
  email: 0.35,
  url: 0.2,
  expression: 0.85,
  number: 0.08,
  date: 0.08,
  time: 0.1,
  'date-time': 0.1,
  boolean: 0.1,
  name: 0.03,
  text: 0.03,
  clause: 0,
};

const SET_APART_EVIDENCE = 0.15;

function argumentEvidence(weighing: Weighing, extraction: Extraction): number {
  return (
    1 -
    extraction.evidence.reduce((doubt, item) => {
      const base = item.isUnknown ? 0 : item.isSetApart ? SET_APART_EVIDENCE : item.isDoubtful ? 0.1 : (SOURCE_EVIDENCE[item.source] ?? 0);
      const isShared = item.source === 'values' || item.source === 'pattern' || item.source === 'email';
      const length = weighing.context.features.folded.slice(item.span.start, item.span.end).trim().length;
      return doubt * (1 - base * (isShared ? rarity(weighing, item.span) : 1) * (item.source === 'values' && length < 2 ? 0.3 : 1));
    }, 1)
  );
}

/** How few capabilities know a value at this place: 1 when one alone does. */
function rarity({ context }: Weighing, span: Span): number {
  const { capabilities } = context.index;
  const owners = capabilities.filter((capability) =>
    [...new Set(compileSchema(capability.inputSchema).tables.values())].some((table) =>
      context.features.valuesOf(table).some((match) => overlaps(match, span)),
    ),
  ).length;
  return owners <= 1 ? 1 : Math.log(1 + capabilities.length / owners) / Math.log(1 + capabilities.length);
}

/** A piece of a clause that means something, with its weight. */
interface ContentUnit extends Span {
  readonly weight: number;
}

/** Words count 1, Chinese characters half, numbers and times somewhat less; what carries no topic does not count. */
function contentUnits(context: WeighingContext, clause: Span): ContentUnit[] {
  const { features } = context;
  const inside = context.tokens.filter((token) => contains(clause, token) && token.kind !== 'pair');
  const isMoment = (token: Span) => [...features.dates, ...features.times].some((moment) => contains(moment, token));
  const units = inside.map((token) => ({
    start: token.start,
    end: token.end,
    weight: (token.kind === 'word' ? 1 : token.kind === 'number' ? 0.7 : 0.5) * (isMoment(token) ? 0.5 : 1),
  }));
  const first = units[0];
  // What a command begins with is what it wants done.
  return first && inside[0]?.kind === 'word' && !isMoment(first) ? [{ ...first, weight: first.weight * 1.6 }, ...units.slice(1)] : units;
}

function explainedShare({ clause, content, matches }: Weighing, extraction: Extraction, subjects: readonly Span[]): number {
  const total = content.reduce((sum, unit) => sum + unit.weight, 0);
  if (total === 0) return 1;
  const explained = new CharacterMask(Math.min(clause.end, REQUEST_WINDOW));
  for (const match of matches) if (match.weight >= 0.1) explained.raise(match, isNaming(match) ? 1 : 0.6);
  for (const span of [...subjects, ...(extraction.coordinated?.values ?? [])]) explained.raise(span, 1);
  for (const item of extraction.evidence) explained.raise(item.span, explainedBy(item));
  return content.reduce((sum, unit) => sum + unit.weight * explained.lowest(unit), 0) / total;
}

function explainedBy(item: ArgumentEvidence): number {
  if (item.isUnknown) return UNKNOWN_VALUE_SHARE;
  return item.isSetApart ? SET_APART_SHARE : (FREE_TEXT_SHARES.get(item.source) ?? 1);
}

const SET_APART_SHARE = 0.85;
/** A name the capability's table lacks may be one, or another request's word. */
const UNKNOWN_VALUE_SHARE = 0.2;

/** Words by which the capability is asked for, rather than words that also occur with it. */
export function isNaming(match: TermMatch): boolean {
  return match.field !== 'example' && match.field !== 'description';
}

/** Free text takes anything, which explains it only in part. */
const FREE_TEXT_SHARES: ReadonlyMap<string, number> = new Map([
  ['text', 0.6],
  ['clause', 0.5],
  ['name', 0.8],
]);

/** What remains of "can you tell me when ..." is a question, of "can you book ..." a request. */
function looksLikeQuestion(clause: string, after: string): boolean {
  const text = clause.trim();
  const inner = text.replace(OPENING_COURTESIES, '');
  if (inner.length < text.length && /^(?:can|could|would|will) |能不能|可不可以|可以|能否|帮|麻烦/.test(text))
    return QUESTION.test(inner.replace(/\?.*$/, ''));
  return QUESTION.test(text) || /^\s*\?/.test(after);
}

const QUESTION =
  /\?|^(?:so |and |but |ok |hi |hey |hello |please )*(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|am|has|have|can|may|should|must|any|whats|whens|wheres|hows)(?![\p{L}])|[吗呢么]\s*$|什么|哪|几|多少|怎么|怎样|如何|是否|能不能|可不可以|有没有|是不是|要不要|会不会|多久|多大|多远|多高|为什么|谁/u;
