import {
  type CapabilityMetadata,
  CLOSING_COURTESIES,
  compileSchema,
  dayIn,
  indexCapabilities,
  lexicalScore,
  OPENING_COURTESIES,
  payloadStart,
  REQUEST_WINDOW,
  type RequestFeatures,
  readRequestFeatures,
  type Span,
  scanTokens,
  type TermMatch,
} from '#lib/capabilities/index.ts';
import { canonicalJson, type JsonObject } from '#lib/kernel/index.ts';
import { CharacterMask } from './character-mask.ts';
import { type ClauseFit, isNaming, type WeighingContext } from './clause-fit.ts';
import { type Clause, groupSegments } from './clause-grouping.ts';
import { segmentMessage } from './clauses.ts';
import type { DocumentEvidence } from './document-coverage.ts';
import { findSmallTalk } from './intents.ts';
import { matchTopics } from './ontology-topics.ts';
import type { Candidate, ExecutionPlan, IntentAnalysis, PlanStep } from './plan.ts';
import { intentRationale, reasonsOf, stepRationale } from './plan-wording.ts';
import { completeQuery } from './query-completion.ts';

export interface PlanRequest {
  /** null counts as ''. */
  readonly message: string | null;
  /** What the person may use; null counts as none. */
  readonly capabilities: readonly CapabilityMetadata[] | null;
  /** One line a document of the tenant, `title: section, section`. */
  readonly ontologySummary: string;
  readonly locale: 'en' | 'zh-CN';
  /** What the tenant's documents have to do with the message; without it their topics alone speak for them. */
  readonly documents?: DocumentEvidence;
  /** When the message was sent. Without it relative days ("tomorrow", 下周一) are not understood. */
  readonly now?: Date;
  /** Where the person is (IANA name); UTC when absent. */
  readonly timeZone?: string;
}

const STEP_LIMIT = 12;
const CANDIDATE_LIMIT = 5;

/**
 * Plans a message without a model (requirement P-07): divides it into requests, picks for each the capability that fits
 * best, and takes its arguments from the words by its schema. Knows no capability by name. Pure and total: the same request
 * has the same plan, any string has one. Ends as `task` (at least one step and nothing missing), `clarify` (a capability
 * fits, a required argument is missing; complete steps are planned too), `greeting`, `help`, `unsupported` or `empty`.
 */
export function planRequest(request: PlanRequest): ExecutionPlan {
  const message = request.message ?? '';
  const { locale } = request;
  if (message.trim() === '') return finish({ kind: 'empty', confidence: 1, locale });
  const smallTalk = findSmallTalk(message);
  if (smallTalk) return finish({ kind: smallTalk, confidence: 0.95, locale });
  const context = readMessage(request, message);
  const clauses = groupSegments(context, segmentMessage(context.features, payloads(context)));
  return toPlan(clauses, context, locale);
}

function readMessage(request: PlanRequest, message: string): WeighingContext {
  const today = request.now ? dayIn(request.timeZone ?? 'UTC', request.now) : null;
  const features = readRequestFeatures(message, today);
  const index = indexCapabilities(request.capabilities ?? []);
  const window = features.folded.slice(0, REQUEST_WINDOW);
  const isQuoted = (span: Span) => features.quotations.some((quotation) => quotation.start <= span.start && span.end <= quotation.end);
  const tokens = scanTokens(window).filter((token) => !isQuoted(token));
  const matches = index.match(window, tokens).map((found) => found.filter((match) => !isQuoted(match)));
  return {
    index,
    features,
    tokens,
    matches,
    claimed: claimedWords(index.capabilities, matches),
    topics: matchTopics(request.ontologySummary, tokens),
    documents: request.documents ?? null,
  };
}

function usesDocuments(capability: CapabilityMetadata | undefined): boolean {
  return capability !== undefined && compileSchema(capability.inputSchema).usesOntology;
}

/** Marks the words by which capabilities that do not answer from documents are asked for. */
function claimedWords(capabilities: readonly CapabilityMetadata[], matches: readonly (readonly TermMatch[])[]): CharacterMask {
  const mask = new CharacterMask(REQUEST_WINDOW);
  for (const [position, found] of matches.entries()) {
    if (!usesDocuments(capabilities[position])) for (const match of found.filter(isOwnWord)) mask.raise(match, 1);
  }
  return mask;
}

/** A keyword or title word that few capabilities share. */
function isOwnWord(match: TermMatch): boolean {
  return (match.field === 'keyword' || match.field === 'title') && match.weight >= 0.3;
}

/** How sure the words before a colon must be of a capability that takes a text, for what follows to be that text. */
const PAYLOAD_CONFIDENCE = 0.5;

/** "Translate this: ..." The text after the colon is not divided, whatever it says. */
function payloads(context: WeighingContext): Span[] {
  const { folded } = context.features;
  const whole = { start: 0, end: folded.length };
  return context.index.capabilities.flatMap((capability, position) => {
    if (!compileSchema(capability.inputSchema).hints.some((hint) => hint.source === 'text')) return [];
    const matches = (context.matches[position] ?? []).filter((match) => isNaming(match));
    const start = payloadStart(context.features, whole, matches);
    if (start === null) return [];
    const head = lastSentenceStart(folded, start);
    return lexicalScore(matches.filter((match) => match.start >= head && match.end <= start)) >= PAYLOAD_CONFIDENCE
      ? [{ start, end: folded.length }]
      : [];
  });
}

function lastSentenceStart(folded: string, end: number): number {
  return Math.max(0, ...['.', '。', '?', '!', '\n', ';'].map((mark) => folded.lastIndexOf(mark, end - 2) + 1));
}

function toPlan(clauses: readonly Clause[], context: WeighingContext, locale: PlanRequest['locale']): ExecutionPlan {
  const { raw } = context.features;
  const steps: PlanStep[] = [];
  const missing: { capabilityId: string; argument: string; clause: string }[] = [];
  const unanswered: string[] = [];
  const scores: number[] = [];
  const seen = new Set<string>();
  for (const [position, clause] of clauses.entries()) {
    const text = raw.slice(clause.start, clause.end).trim();
    if (!clause.fit) {
      if (asksSomething(context.features, clause)) unanswered.push(text);
      continue;
    }
    const { capability, extraction, score } = clause.fit;
    scores.push(score);
    for (const argument of extraction.missing) missing.push({ capabilityId: capability.id, argument, clause: text });
    if (extraction.missing.length > 0) continue;
    for (const args of callsOf(clause.fit).map((call) => completeQuery(call, clauses, position, context))) {
      const key = canonicalJson([capability.id, args]);
      if (seen.has(key) || steps.length >= STEP_LIMIT) continue;
      seen.add(key);
      steps.push({ capabilityId: capability.id, rationale: stepRationale(clause.fit, args, locale), arguments: args, clause: text });
    }
  }
  const candidates = listCandidates(clauses, locale);
  const kind = missing.length > 0 ? 'clarify' : steps.length > 0 ? 'task' : 'unsupported';
  const fits = clauses.flatMap((clause) => (clause.fit ? [clause.fit] : []));
  return finish({
    kind,
    confidence: kind === 'unsupported' ? 1 - (candidates[0]?.score ?? 0) : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    locale,
    steps,
    candidates,
    missing,
    unanswered,
    titles: [...new Set(fits.map((fit) => fit.capability.title[locale]))],
    nearest: clauses.flatMap((clause) => clause.weighed).sort((a, b) => b.score - a.score)[0]?.capability.title[locale] ?? null,
  });
}

/** One call, or one for each value named in one breath: "in Tokyo and London". */
function callsOf(fit: ClauseFit): JsonObject[] {
  const { arguments: args, coordinated } = fit.extraction;
  if (!coordinated) return [args];
  return coordinated.values.map((match) => ({ ...args, [coordinated.argument]: match.value }));
}

/** Whether anything is left of a clause without its courtesies. */
function asksSomething(features: RequestFeatures, clause: Span): boolean {
  const text = features.folded
    .slice(clause.start, Math.min(clause.end, clause.start + 400))
    .replace(OPENING_COURTESIES, '')
    .replace(CLOSING_COURTESIES, '');
  return scanTokens(text).length > 0;
}

function listCandidates(clauses: readonly Clause[], locale: PlanRequest['locale']): Candidate[] {
  const best = new Map<string, ClauseFit>();
  for (const fit of clauses.flatMap((clause) => clause.weighed)) {
    const known = best.get(fit.capability.id);
    if (!known || fit.score > known.score) best.set(fit.capability.id, fit);
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || (a.capability.id < b.capability.id ? -1 : 1))
    .slice(0, CANDIDATE_LIMIT)
    .map((fit) => ({ capabilityId: fit.capability.id, score: round(fit.score), reasons: reasonsOf(fit, locale) }));
}

function finish(outcome: {
  kind: IntentAnalysis['kind'];
  confidence: number;
  locale: PlanRequest['locale'];
  steps?: readonly PlanStep[];
  candidates?: readonly Candidate[];
  missing?: readonly { capabilityId: string; argument: string; clause: string }[];
  unanswered?: readonly string[];
  titles?: readonly string[];
  nearest?: string | null;
}): ExecutionPlan {
  const { kind, locale, steps = [], candidates = [], missing = [], unanswered = [], titles = [], nearest = null } = outcome;
  const rationale = intentRationale(
    kind,
    { titles, missing: [...new Set(missing.map((entry) => entry.argument))], unanswered, nearest },
    locale,
  );
  const confidence = round(Math.min(1, Math.max(0, outcome.confidence)));
  return {
    intent: { kind, confidence, rationale },
    steps,
    candidates,
    summary: `${kind} (${confidence.toFixed(2)}): ${rationale} -> ${steps.length} step(s)`,
    ...(missing.length > 0 ? { missing } : {}),
    ...(unanswered.length > 0 ? { unanswered } : {}),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
