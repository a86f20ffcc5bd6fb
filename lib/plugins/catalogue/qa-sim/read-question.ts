import { type CalendarDay, foldText } from '#lib/capabilities/index.ts';
import { ALL_TIME, type Period, precedingPeriod } from '../figures/period.ts';
import { type PeriodMatch, readPeriods } from '../figures/read-periods.ts';
import type { Ask, Filter, Grouping, Measure, Metric, Question, Subject } from './question.ts';
import {
  COMPARISON,
  FILTER_WORDS,
  findWord,
  GROUPING_WORDS,
  HELP,
  LEAST,
  MEASURE_WORDS,
  MINE,
  PEOPLE,
  ROLE_WORDS,
  SLOW,
  SPENT,
  SUBJECT_WORDS,
  TOKENS,
  TOOK_PART,
  USED,
} from './question-words.ts';

/** Things one message may ask; each is read by up to two calls. */
const ASK_LIMIT = 6;
/** Longer messages are something else than a question about figures. */
const LENGTH_LIMIT = 600;

/**
 * Reads a message as questions about the workspace's records (the Intent stage). Pure: the same message on the same day is
 * read the same. A message that is none of these comes back as `help`, `clarify` or `unsupported`, without asks.
 */
export function readQuestion(message: string, today: CalendarDay): Question {
  const folded = foldText(message).slice(0, LENGTH_LIMIT);
  const periods = readPeriods(folded, today);
  const asks: DraftAsk[] = [];
  for (const clause of splitClauses(folded, periods)) {
    const previous = asks.at(-1);
    const ask = readClause(clause, previous);
    if (ask) asks.push(ask);
    else if (previous) asks[asks.length - 1] = { ...previous, periods: [...previous.periods, ...clause.periods] };
  }
  const said = withBareSubjects(asks)
    .filter((ask) => ask.isAsked)
    .slice(0, ASK_LIMIT);
  if (said.length === 0) return withoutAsks(folded, asks);
  // A period said once holds for all: "this week, how many runs failed and which tool failed most".
  const all = periods.map(({ period }) => period);
  const isComparison = COMPARISON.test(folded);
  const periodsOf = (ask: DraftAsk) => (ask.periods.length === 0 || (isComparison && all.length === 2) ? all : ask.periods);
  return {
    kind: 'task',
    asks: said.map((ask) => finish(ask, periodsOf(ask), today, isComparison)),
    confidence: Math.min(...said.map((ask) => confidenceOf(ask, all.length > 0))),
    evidence: [
      ...new Set([
        ...said.flatMap((ask) => ask.evidence),
        ...periods.map(({ start, end }) => `period: ${folded.slice(start, end).trim()}`),
      ]),
    ],
  };
}

function withBareSubjects(asks: readonly DraftAsk[]): DraftAsk[] {
  return asks.map((ask, index) => {
    const next = asks[index + 1];
    return ask.isBare && next?.isAsked && next.by === null ? { ...ask, measure: next.measure, filter: next.filter, isAsked: true } : ask;
  });
}

function withoutAsks(folded: string, vague: readonly DraftAsk[]): Question {
  const help = HELP.exec(folded)?.[0];
  if (help !== undefined || folded.trim() === '') {
    return { kind: 'help', asks: [], confidence: help ? 0.9 : 1, evidence: help ? [`help: ${help}`] : [] };
  }
  const [first] = vague;
  return first
    ? { kind: 'clarify', asks: [], confidence: 0.3, evidence: first.evidence }
    : { kind: 'unsupported', asks: [], confidence: 0.8, evidence: [] };
}

interface Clause {
  /** Periods in it are blanked out. */
  readonly text: string;
  readonly periods: readonly Period[];
}

interface DraftAsk {
  readonly subject: Subject;
  readonly isSubjectSaid: boolean;
  readonly measure: Measure;
  readonly isMeasureSaid: boolean;
  readonly filter: Filter | null;
  readonly by: Grouping | null;
  readonly metric: Metric;
  readonly order: Ask['order'];
  readonly isMine: boolean;
  readonly capabilityId: string | null;
  readonly role: string | null;
  readonly periods: readonly Period[];
  /** Nothing but the subject was said: it goes with what is asked of the next, as in "members and documents: how many?". */
  readonly isBare: boolean;
  /** Enough was said to answer it. */
  readonly isAsked: boolean;
  readonly evidence: readonly string[];
}

const SEPARATOR = /(?<![\p{L}\d])(?:and|also|plus|then)(?![\p{L}\d])|[,;?!。，；？！、\n]|以及|还有|和|并且|另外/gu;

function splitClauses(folded: string, periods: readonly PeriodMatch[]): Clause[] {
  let blanked = folded;
  for (const { start, end } of periods) blanked = blanked.slice(0, start) + ' '.repeat(end - start) + blanked.slice(end);
  const cuts = [...blanked.matchAll(SEPARATOR)].map((match) => [match.index, match.index + match[0].length] as const);
  const edges = [[0, 0] as const, ...cuts, [blanked.length, blanked.length] as const];
  return edges.slice(0, -1).map(([, start], index) => {
    const end = edges[index + 1]?.[0] ?? blanked.length;
    return {
      text: blanked.slice(start, end),
      periods: periods.filter((match) => match.start >= start && match.start < end).map(({ period }) => period),
    };
  });
}

/** What one clause asks; null when it asks nothing, though it may name a period for the one before. */
function readClause({ text, periods }: Clause, previous: DraftAsk | undefined): DraftAsk | null {
  const subjectWord = findWord(SUBJECT_WORDS, text);
  const measureWord = findWord(MEASURE_WORDS, text);
  const byWord = findWord(GROUPING_WORDS, text);
  const filterWord = findWord(FILTER_WORDS, text);
  const capabilityId = CAPABILITY_ID.exec(text)?.[0] ?? null;
  const said = {
    text,
    subject: subjectWord?.key ?? null,
    by: byWord?.key ?? null,
    filter: filterWord?.key ?? null,
    capabilityId,
    previous,
  };
  const subject = subjectOf(said);
  if (!subject || !(subjectWord || measureWord || byWord || filterWord || capabilityId)) return null;
  const by = groupingOf(subject, said.by, text);
  const measure = measureOf({ ...said, subject, by, measure: measureWord?.key ?? null });
  const isMeasureSaid = measureWord !== null || byWord !== null || (subject === 'usage' && ASKS.test(text));
  const isFigure = filterWord !== null && filterWord.key !== 'added' && filterWord.key !== 'changed';
  return {
    subject,
    isSubjectSaid: subjectWord !== null || capabilityId !== null,
    measure,
    isMeasureSaid,
    filter: filterWord?.key ?? (subjectWord === null && byWord === null ? (previous?.filter ?? null) : null),
    by,
    metric: SLOW.test(text) && (measure === 'top' || measure === 'average') ? 'duration' : said.filter === 'failed' ? 'failed' : 'total',
    order: LEAST.test(text) ? 'least' : 'most',
    isMine: MINE.test(text),
    capabilityId,
    role: subject === 'members' ? (findWord(ROLE_WORDS, text)?.key ?? null) : null,
    periods,
    // "Failed runs" is about figures, "a new document" may be about anything; "… and documents" goes on with what was asked.
    isBare:
      subjectWord !== null &&
      !isMeasureSaid &&
      text
        .replace(subjectWord.word, '')
        .replace(/the|our|all/gu, '')
        .trim() === '',
    isAsked: isMeasureSaid || (isFigure && subjectWord !== null) || (subjectWord !== null && previous?.isAsked === true),
    evidence: [
      ...(subjectWord ? [`${subject}: ${subjectWord.word}`] : capabilityId ? [`${subject}: ${capabilityId}`] : []),
      ...(measureWord ? [`${measure}: ${measureWord.word}`] : []),
      ...(filterWord ? [`${filterWord.key}: ${filterWord.word}`] : []),
      ...(byWord ? [`by ${by ?? byWord.key}: ${byWord.word}`] : []),
    ],
  };
}

const CAPABILITY_ID = /(?<![\w.@])[a-z][\w-]*(?:\.[a-z][\w-]*)+/;

function subjectOf(clause: {
  text: string;
  subject: Subject | 'tools' | null;
  by: Grouping | null;
  filter: Filter | null;
  capabilityId: string | null;
  previous: DraftAsk | undefined;
}): Subject | null {
  const { text, subject, by, filter, capabilityId, previous } = clause;
  if (subject === 'tools') return USED.test(text) || filter !== null || (by === 'capability' && isRanking(text)) ? 'calls' : 'capabilities';
  if (subject === 'members') return by === 'person' || TOOK_PART.test(text) ? 'runs' : 'members';
  if (subject) return subject;
  if (capabilityId) return 'calls';
  if (by === 'capability' || by === 'error') return 'calls';
  if (by === 'person' || by === 'day') return previous?.subject === 'calls' || previous?.subject === 'usage' ? previous.subject : 'runs';
  if (by === 'model') return 'usage';
  if (by === 'role') return 'members';
  if (previous?.isSubjectSaid) return previous.subject;
  if (findWord(MEASURE_WORDS, text)?.key === 'average') return 'runs';
  // "How many failed?" can only be about runs.
  return filter !== null && filter !== 'added' && filter !== 'changed' && ASKS.test(text) ? 'runs' : null;
}

const ASKS = /how many|how often|what|which|any|多少|几次|哪|有没有|什么/u;

function isRanking(text: string): boolean {
  return findWord(MEASURE_WORDS, text)?.key === 'top';
}

/** By what the parts are told apart, where the subject has such parts. */
function groupingOf(subject: Subject, said: Grouping | null, text: string): Grouping | null {
  const known = PARTS[subject];
  if (said && known.includes(said)) return said;
  return isRanking(text) ? (known[0] ?? null) : null;
}

const PARTS: { readonly [S in Subject]: readonly Grouping[] } = {
  runs: ['person', 'day', 'preset', 'state'],
  calls: ['capability', 'error'],
  members: ['role'],
  documents: ['language'],
  capabilities: ['domain'],
  usage: ['model'],
};

function measureOf(clause: {
  text: string;
  subject: Subject;
  by: Grouping | null;
  measure: Measure | null;
  previous: DraftAsk | undefined;
}): Measure {
  const { text, subject, by, measure, previous } = clause;
  const subjectWord = findWord(SUBJECT_WORDS, text);
  if (subject === 'usage' && by === null)
    return SPENT.test(text) && !TOKENS.test(text) ? 'cost' : /model calls?|模型调用/u.test(text) ? 'count' : 'tokens';
  if (measure === 'latest') return subject === 'documents' ? 'latest' : 'count';
  if (measure === 'share' || measure === 'average') return measure;
  if (subject === 'runs' && measure === 'count' && PEOPLE.test(text)) return 'people';
  if (by !== null) return measure === 'parts' || measure === 'count' || by === 'error' || by === 'state' ? 'parts' : 'top';
  if (measure !== null) return 'count';
  return subjectWord === null && previous ? previous.measure : 'count';
}

function finish(ask: DraftAsk, periods: readonly Period[], today: CalendarDay, isComparison: boolean): Ask {
  const [period = ALL_TIME, second] = periods;
  const comparedWith = second && isComparison ? second : precedingPeriod(period, today);
  const {
    isSubjectSaid: _said,
    isMeasureSaid: _measure,
    isAsked: _asked,
    isBare: _bare,
    evidence: _evidence,
    periods: _periods,
    ...query
  } = ask;
  return { ...query, period, comparedWith, isComparison };
}

/** How sure the reading is: each part that was said adds to it. */
function confidenceOf(ask: DraftAsk, hasPeriod: boolean): number {
  const sure =
    0.35 + (ask.isSubjectSaid ? 0.3 : 0) + (ask.isMeasureSaid ? 0.2 : 0) + (ask.filter || ask.by ? 0.05 : 0) + (hasPeriod ? 0.08 : 0);
  return Math.round(sure * 100) / 100;
}
