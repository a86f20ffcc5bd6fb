import {
  type CapabilityIndex,
  type CapabilityMetadata,
  compileSchema,
  contains,
  type CompiledSchema,
  extractArguments,
  type Extraction,
  lexicalScore,
  overlaps,
  type RequestFeatures,
  type Span,
  type TermMatch,
  type Token,
} from '#lib/capabilities/index.ts';
import type { OntologyTopics } from './ontology-topics.ts';

/** How well one capability answers one clause, and with which arguments. */
export interface ClauseFit {
  readonly capability: CapabilityMetadata;
  /** 0 to 1. */
  readonly score: number;
  readonly extraction: Extraction;
  readonly matches: readonly TermMatch[];
  /** Words of the clause that are topics of the tenant's documents, for a capability that answers from them. */
  readonly topics: readonly string[];
}

/** A message with everything that weighing its parts needs; built once per message. */
export interface WeighingContext {
  readonly index: CapabilityIndex;
  readonly features: RequestFeatures;
  readonly tokens: readonly Token[];
  /** Per capability of the index, over the whole message. */
  readonly matches: readonly (readonly TermMatch[])[];
  readonly ontology: OntologyTopics;
}

/** Capabilities weighed in full for one clause; the others have less to say for themselves. */
const SHORTLIST = 8;

/** The capabilities that fit a clause, best first. */
export function weighClause(context: WeighingContext, clause: Span): ClauseFit[] {
  const content = contentUnits(context, clause);
  const isQuestion = looksLikeQuestion(context.features.folded.slice(clause.start, Math.min(clause.end, clause.start + 600)), context.features.folded.slice(clause.end, clause.end + 2));
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
  const values = [...new Set(schema.tables.values())].some((table) => context.features.valuesOf(table).some((match) => contains(clause, match)));
  const topics = schema.usesOntology && context.ontology.matches.some((match) => contains(clause, match));
  const telling = schema.hints.some((hint) => hint.source === 'expression' || hint.source === 'pattern' || (hint.source === 'email' && context.features.emails.length > 0));
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
  const requestSpans = matches.filter(isNaming);
  const extraction = extractArguments({ schema, features: context.features, clause, requestSpans });
  const topics = schema.usesOntology ? context.ontology.matches.filter((match) => contains(clause, match)) : [];
  const isMissing = extraction.missing.length > 0;
  const doubts = [
    1 - lexicalScore(matches),
    1 - argumentEvidence(weighing, extraction) * (isMissing ? 0.4 : 1),
    ...topics.map((topic) => 1 - topic.weight * (isQuestion ? TOPIC_IN_QUESTION : TOPIC_IN_STATEMENT)),
  ];
  const evidence = 1 - doubts.reduce((product, doubt) => product * doubt, 1);
  const explained = explainedShare(weighing, extraction, topics);
  const unlikely = isQuestion && capability.sideEffect !== 'read' ? WRITE_IN_QUESTION : 1;
  const score = evidence * (EXPLAINED_BASE + (1 - EXPLAINED_BASE) * explained) * (isMissing ? MISSING_FACTOR : 1) * unlikely;
  return { capability, score, extraction, matches, topics: [...new Set(topics.map((topic) => topic.text))] };
}

const EXPLAINED_BASE = 0.35;
const MISSING_FACTOR = 0.85;
/** People seldom ask for a change with a question; "can you ..." is no question here. */
const WRITE_IN_QUESTION = 0.85;
const TOPIC_IN_QUESTION = 0.7;
const TOPIC_IN_STATEMENT = 0.5;

/** What an argument of each source says about the capability that takes it; values and patterns by how few others take them. */
const SOURCE_EVIDENCE: Readonly<Record<string, number>> = {
  values: 0.5, pattern: 0.6, email: 0.35, url: 0.2, expression: 0.85, number: 0.08, date: 0.08, time: 0.1, 'date-time': 0.1, boolean: 0.1, name: 0.03, text: 0.03, clause: 0,
};

function argumentEvidence(weighing: Weighing, extraction: Extraction): number {
  return 1 - extraction.evidence.reduce((doubt, item) => {
    const base = item.isDoubtful ? 0.1 : (SOURCE_EVIDENCE[item.source] ?? 0);
    const isShared = item.source === 'values' || item.source === 'pattern' || item.source === 'email';
    const length = weighing.context.features.folded.slice(item.span.start, item.span.end).trim().length;
    return doubt * (1 - base * (isShared ? rarity(weighing, item.span) : 1) * (item.source === 'values' && length < 2 ? 0.3 : 1));
  }, 1);
}

/** How few capabilities know a value at this place: 1 when one alone does. */
function rarity({ context }: Weighing, span: Span): number {
  const { capabilities } = context.index;
  const owners = capabilities.filter((capability) =>
    [...new Set(compileSchema(capability.inputSchema).tables.values())].some((table) => context.features.valuesOf(table).some((match) => overlaps(match, span))),
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

function explainedShare({ content, matches }: Weighing, extraction: Extraction, topics: readonly Span[]): number {
  const total = content.reduce((sum, unit) => sum + unit.weight, 0);
  if (total === 0) return 1;
  const explanations = [
    ...matches.filter((match) => match.weight >= 0.1).map((match) => ({ span: match as Span, share: isNaming(match) ? 1 : 0.6 })),
    ...topics.map((span) => ({ span, share: 1 })),
    ...extraction.evidence.map((item) => ({ span: item.span, share: item.source === 'text' || item.source === 'clause' ? FREE_TEXT_SHARE : 1 })),
  ];
  const explained = content.reduce(
    (sum, unit) => sum + unit.weight * Math.max(0, ...explanations.filter(({ span }) => contains(span, unit)).map(({ share }) => share)),
    0,
  );
  return explained / total;
}

/** Words by which the capability is asked for, rather than words that also occur with it. */
function isNaming(match: TermMatch): boolean {
  return match.field !== 'example' && match.field !== 'description';
}

/** Free text takes anything, which explains it only in part. */
const FREE_TEXT_SHARE = 0.55;

function looksLikeQuestion(clause: string, after: string): boolean {
  const text = clause.trim();
  if (/^(?:(?:please|hi|hello|hey)[ ,]*)*(?:can|could|would|will) (?:you|u|i)\b/.test(text) || /能不能帮|可以帮|请帮|帮我|麻烦/.test(text)) return false;
  return QUESTION.test(text) || /^\s*\?/.test(after);
}

const QUESTION =
  /\?|^(?:so |and |but |ok |hi |hey |hello |please )*(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|am|has|have|can|may|should|must|any|whats|whens|wheres|hows)(?![\p{L}])|[吗呢么]\s*$|什么|哪|几|多少|怎么|怎样|如何|是否|能不能|可不可以|有没有|是不是|要不要|会不会|多久|多大|多远|多高|为什么|谁/u;
