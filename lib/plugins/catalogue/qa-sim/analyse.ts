import type { JsonObject } from '#lib/kernel/index.ts';
import {
  type CallFigures,
  callFigures,
  documentFigures,
  memberFigures,
  type RunFigures,
  runFigures,
  type UsageFigures,
  usageFigures,
} from '../../domain/tenant-figures.ts';
import { capabilityFigures } from '../figures/capability-figures.ts';
import { isComparable, isOfPeriod, readingKey } from './needed-readings.ts';
import type { Ask, Filter } from './question.ts';

/** What came of one capability call of the Data stage. */
export interface Reading {
  readonly key: string;
  readonly output: JsonObject | null;
  /** Why there is none, as the invoker said it. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

export type Unit =
  | 'runs'
  | 'calls'
  | 'people'
  | 'members'
  | 'documents'
  | 'capabilities'
  | 'tokens'
  | 'model-calls'
  | 'percent'
  | 'ms'
  | 'money';

/** One part of a ranking or a breakdown. */
export interface Part {
  readonly name: string;
  readonly value: number;
  /** Of how many, where the value is a part of them. */
  readonly of?: number;
}

/** What the Analyst makes of one ask. */
export interface Finding {
  readonly ask: Ask;
  readonly status: 'figure' | 'parts' | 'nothing' | 'refused';
  /** The figure; for parts their sum; null where there is none, as with the average of no runs. */
  readonly value: number | null;
  readonly unit: Unit;
  readonly currency?: string;
  /** Largest first, or as asked. */
  readonly parts: readonly Part[];
  /** The same figure of `ask.comparedWith`; null where it was not or could not be read. */
  readonly before: number | null;
  /** In percent; null without a figure before, or when that was zero. */
  readonly changePercent: number | null;
  /** The person sees their own runs only. */
  readonly isOwnOnly: boolean;
  readonly refusal?: { readonly code: string; readonly message: string };
  /** What has to be said beside the figure. */
  readonly notes: readonly ('unpriced' | 'other-currencies')[];
}

/** Works the findings out of the readings (the Analyst stage). Pure. */
export function analyse(asks: readonly Ask[], readings: readonly Reading[]): Finding[] {
  const byKey = new Map(readings.map((reading) => [reading.key, reading]));
  return asks.map((ask) => {
    const reading = byKey.get(readingKey(ask, ask.period));
    if (!reading?.output) {
      const refusal = reading?.refusal ?? { code: 'capability_failed', message: '' };
      return { ...nothing(ask), status: 'refused' as const, refusal };
    }
    const finding = find(ask, reading.output);
    const isOwnOnly = reading.output['scope'] === 'own';
    const earlier = isComparable(ask) && ask.comparedWith ? byKey.get(readingKey(ask, ask.comparedWith))?.output : null;
    const before = earlier ? find({ ...ask, period: ask.comparedWith ?? ask.period }, earlier).value : null;
    return { ...finding, isOwnOnly, before, changePercent: changeOf(finding.value, before) };
  });
}

function changeOf(value: number | null, before: number | null): number | null {
  if (value === null || before === null || before === 0) return null;
  return Math.round(((value - before) / before) * 1000) / 10;
}

function nothing(ask: Ask): Finding {
  return {
    ask,
    status: 'nothing',
    value: null,
    unit: UNITS[ask.subject],
    parts: [],
    before: null,
    changePercent: null,
    isOwnOnly: false,
    notes: [],
  };
}

const UNITS = {
  runs: 'runs',
  calls: 'calls',
  members: 'members',
  documents: 'documents',
  capabilities: 'capabilities',
  usage: 'tokens',
} as const;

function find(ask: Ask, output: JsonObject): Finding {
  switch (ask.subject) {
    case 'runs':
      return findRuns(ask, runFigures.parse(output));
    case 'calls':
      return findCalls(ask, callFigures.parse(output));
    case 'usage':
      return findUsage(ask, usageFigures.parse(output));
    case 'members': {
      const { total, joined, byRole } = memberFigures.parse(output);
      if (ask.by === 'role')
        return ofParts(
          ask,
          byRole.map(({ name, total: value }) => ({ name, value })),
        );
      if (ask.role) return figure(ask, byRole.find(({ key }) => key === ask.role)?.total ?? 0);
      return figure(ask, isOfPeriod(ask) ? joined : total);
    }
    case 'documents': {
      const { total, added, changed, byLanguage, latest } = documentFigures.parse(output);
      if (ask.by === 'language')
        return ofParts(
          ask,
          byLanguage.map(({ key, total: value }) => ({ name: key, value })),
        );
      if (ask.measure === 'latest')
        return ofParts(
          ask,
          latest.map(({ title, createdAt }) => ({ name: title, value: Date.parse(createdAt) })),
        );
      return figure(ask, isOfPeriod(ask) ? (ask.filter === 'changed' ? changed : added) : total);
    }
    default: {
      const { total, byDomain } = capabilityFigures.parse(output);
      return ask.by === 'domain'
        ? ofParts(
            ask,
            byDomain.map(({ key, total: value }) => ({ name: key, value })),
          )
        : figure(ask, total);
    }
  }
}

/** States of a run that a word stands for. */
const STATES: { readonly [F in Filter]?: readonly string[] } = {
  failed: ['FINISH_ERROR', 'TIMEOUT'],
  succeeded: ['FINISH_OK'],
  cancelled: ['CANCELLED'],
  'timed-out': ['TIMEOUT'],
  running: ['QUEUED', 'RUNNING'],
  waiting: ['WAITING'],
};

function findRuns(ask: Ask, figures: RunFigures): Finding {
  const states = ask.filter ? (STATES[ask.filter] ?? null) : null;
  const matching = states === null ? figures.total : states.reduce((sum, state) => sum + (figures.byState[state] ?? 0), 0);
  if (ask.by === 'state')
    return ofParts(
      ask,
      Object.entries(figures.byState).map(([name, value]) => ({ name, value })),
    );
  if (ask.by !== null) {
    const shares = ask.by === 'day' ? figures.byDay : ask.by === 'preset' ? figures.byPreset : figures.byPerson;
    // Parts are told apart by all and failed only.
    const isFailed = ask.filter === 'failed' || ask.filter === 'timed-out';
    const parts = shares.map(({ name, total, failed }) => (isFailed ? { name, value: failed, of: total } : { name, value: total }));
    return ofParts(ask, parts, 'runs', ask.by === 'day' && ask.measure === 'parts');
  }
  switch (ask.measure) {
    case 'share': {
      const ended = figures.total - ['QUEUED', 'RUNNING', 'WAITING'].reduce((sum, state) => sum + (figures.byState[state] ?? 0), 0);
      const part = ask.filter === null ? (figures.byState['FINISH_OK'] ?? 0) : matching;
      return ended === 0 ? { ...nothing(ask), unit: 'percent' } : figure(ask, Math.round((part / ended) * 1000) / 10, 'percent');
    }
    case 'average':
      return figures.averageMs === null ? { ...nothing(ask), unit: 'ms' } : figure(ask, figures.averageMs, 'ms');
    case 'people':
      return figure(ask, figures.byPerson.length, 'people');
    default:
      return figure(ask, matching);
  }
}

function findCalls(ask: Ask, figures: CallFigures): Finding {
  const one = ask.capabilityId === null ? null : (figures.byCapability.find(({ key }) => key === ask.capabilityId) ?? EMPTY);
  const { total, failed } = one ?? figures;
  if (ask.by === 'error')
    return ofParts(
      ask,
      figures.byError.map(({ code, total: value }) => ({ name: code, value })),
    );
  if (ask.by === 'capability') {
    if (ask.metric === 'duration') {
      const timed = figures.byCapability.flatMap(({ name, averageMs }) => (averageMs === null ? [] : [{ name, value: averageMs }]));
      return ofParts(ask, timed, 'ms');
    }
    const isFailed = ask.filter === 'failed';
    return ofParts(
      ask,
      figures.byCapability.map((share) =>
        isFailed ? { name: share.name, value: share.failed, of: share.total } : { name: share.name, value: share.total },
      ),
    );
  }
  if (ask.measure === 'share') {
    const part = ask.filter === 'failed' ? failed : total - failed;
    return total === 0 ? { ...nothing(ask), unit: 'percent' } : figure(ask, Math.round((part / total) * 1000) / 10, 'percent');
  }
  if (ask.measure === 'average') {
    const averageMs = one?.averageMs ?? averageOf(figures.byCapability);
    return averageMs === null ? { ...nothing(ask), unit: 'ms' } : figure(ask, averageMs, 'ms');
  }
  return figure(ask, ask.filter === 'failed' ? failed : ask.filter === 'succeeded' ? total - failed : total);
}

const EMPTY = { key: '', name: '', total: 0, failed: 0, averageMs: null };

function averageOf(shares: CallFigures['byCapability']): number | null {
  const timed = shares.filter(({ averageMs }) => averageMs !== null);
  const calls = timed.reduce((sum, { total }) => sum + total, 0);
  return calls === 0 ? null : Math.round(timed.reduce((sum, { total, averageMs }) => sum + total * (averageMs ?? 0), 0) / calls);
}

function findUsage(ask: Ask, figures: UsageFigures): Finding {
  if (ask.by === 'model')
    return ofParts(
      ask,
      figures.byModel.map(({ model, totalTokens }) => ({ name: model, value: totalTokens })),
      'tokens',
    );
  if (ask.measure === 'count') return figure(ask, figures.calls, 'model-calls');
  if (ask.measure !== 'cost') return figure(ask, figures.totalTokens, 'tokens');
  const [first] = figures.costs;
  const notes = [
    ...(figures.unpriced > 0 ? (['unpriced'] as const) : []),
    ...(figures.costs.length > 1 ? (['other-currencies'] as const) : []),
  ];
  if (!first) return { ...nothing(ask), unit: 'money', notes };
  return { ...figure(ask, first.micros / 1_000_000, 'money'), currency: first.currency, notes };
}

function figure(ask: Ask, value: number, unit: Unit = UNITS[ask.subject]): Finding {
  return { ...nothing(ask), status: 'figure', value, unit };
}

function ofParts(ask: Ask, parts: readonly Part[], unit: Unit = UNITS[ask.subject], keepsOrder = false): Finding {
  const counted = ask.measure === 'top' && ask.order === 'most' ? parts.filter(({ value }) => value > 0) : parts;
  const ordered =
    keepsOrder || ask.measure === 'latest'
      ? counted
      : [...counted].sort((a, b) => (ask.order === 'least' ? a.value - b.value : b.value - a.value) || (a.name < b.name ? -1 : 1));
  if (ordered.length === 0) return { ...nothing(ask), unit };
  return { ...nothing(ask), status: 'parts', value: ordered.reduce((sum, { value }) => sum + value, 0), unit, parts: ordered };
}
