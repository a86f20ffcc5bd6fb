import { dayIn, formatDay } from '#lib/capabilities/index.ts';
import type {
  CallFigures,
  DocumentFigures,
  FiguresQuery,
  MemberFigures,
  RunFigures,
  Share,
  TenantFigures,
  UsageFigures,
} from '#lib/plugins/index.ts';

/** What is on record in a workspace, in a few rows: for tests of figures, in memory or stored. */
export interface RecordedWorkspace {
  readonly people: readonly { readonly name: string; readonly role: string; readonly joinedAt: Date }[];
  readonly documents: readonly {
    readonly title: string;
    readonly language: 'en' | 'zh-CN';
    readonly createdAt: Date;
    readonly updatedAt: Date;
  }[];
  readonly runs: readonly RecordedRun[];
}

export interface RecordedRun {
  readonly at: Date;
  /** A name among the people. */
  readonly person: string;
  readonly preset: string;
  readonly state: 'QUEUED' | 'RUNNING' | 'WAITING' | 'FINISH_OK' | 'FINISH_ERROR' | 'TIMEOUT' | 'CANCELLED';
  /** From start to end; null while it goes on. */
  readonly durationMs: number | null;
  readonly calls: readonly { readonly capabilityId: string; readonly error: string | null; readonly durationMs: number }[];
  readonly models: readonly {
    readonly model: string;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costMicros: number | null;
    readonly currency: string | null;
  }[];
}

/** The figures of such a workspace by plain counting: what the database must come to as well. `own` is who asks. */
export function figuresOf(workspace: RecordedWorkspace, own: string): TenantFigures {
  const runsOf = ({ from, to, ownOnly }: FiguresQuery) =>
    workspace.runs.filter((run) => isWithin(run.at, from, to) && (!ownOnly || run.person === own));
  return {
    async runs(query): Promise<RunFigures> {
      const runs = runsOf(query);
      const durations = runs.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
      const day = ({ at }: RecordedRun) => formatDay(dayIn(query.timeZone, at)) ?? '';
      return {
        total: runs.length,
        byState: Object.fromEntries(countBy(runs, ({ state }) => state).map(({ key, total }) => [key, total])),
        averageMs: durations.length === 0 ? null : Math.round(durations.reduce((sum, ms) => sum + ms, 0) / durations.length),
        longestMs: durations.length === 0 ? null : Math.max(...durations),
        byPerson: countBy(runs, ({ person }) => person, isFailed),
        byPreset: countBy(runs, ({ preset }) => preset, isFailed),
        byDay: countBy(runs, day, isFailed).sort((a, b) => (a.key < b.key ? -1 : 1)),
      };
    },
    async calls(query): Promise<CallFigures> {
      const calls = runsOf(query).flatMap((run) => run.calls);
      const byCapability = countBy(
        calls,
        ({ capabilityId }) => capabilityId,
        ({ error }) => error !== null,
      ).map((share) => {
        const own = calls.filter(({ capabilityId }) => capabilityId === share.key);
        return { ...share, averageMs: Math.round(own.reduce((sum, { durationMs }) => sum + durationMs, 0) / own.length) };
      });
      const failed = calls.filter(({ error }) => error !== null);
      return {
        total: calls.length,
        failed: failed.length,
        byCapability,
        byError: countBy(failed, ({ error }) => error ?? '').map(({ key, total }) => ({ code: key, total })),
      };
    },
    async members({ from, to }): Promise<MemberFigures> {
      return {
        total: workspace.people.length,
        joined: workspace.people.filter(({ joinedAt }) => isWithin(joinedAt, from, to)).length,
        byRole: countBy(workspace.people, ({ role }) => role).map(({ key, total }) => ({ key, name: key, total })),
      };
    },
    async documents({ from, to }): Promise<DocumentFigures> {
      const { documents } = workspace;
      return {
        total: documents.length,
        added: documents.filter(({ createdAt }) => isWithin(createdAt, from, to)).length,
        changed: documents.filter(({ createdAt, updatedAt }) => updatedAt > createdAt && isWithin(updatedAt, from, to)).length,
        byLanguage: countBy(documents, ({ language }) => language).map(({ key, total }) => ({ key, total })),
        latest: [...documents]
          .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
          .slice(0, 5)
          .map(({ title, createdAt }) => ({ title, createdAt: createdAt.toISOString() })),
      };
    },
    async usage(query): Promise<UsageFigures> {
      const models = runsOf(query).flatMap((run) => run.models);
      const sum = (pick: (call: (typeof models)[number]) => number, of = models) => of.reduce((total, call) => total + pick(call), 0);
      const currencies = [...new Set(models.flatMap(({ currency }) => currency ?? []))];
      return {
        calls: models.length,
        inputTokens: sum((call) => call.inputTokens),
        outputTokens: sum((call) => call.outputTokens),
        totalTokens: sum((call) => call.inputTokens + call.outputTokens),
        costs: currencies
          .map((currency) => ({ currency, micros: sum((call) => (call.currency === currency ? (call.costMicros ?? 0) : 0)) }))
          .sort((a, b) => b.micros - a.micros),
        unpriced: models.filter(({ costMicros }) => costMicros === null).length,
        byModel: countBy(models, ({ model }) => model)
          .map(({ key, total }) => ({
            model: key,
            calls: total,
            totalTokens: sum(
              (call) => call.inputTokens + call.outputTokens,
              models.filter(({ model }) => model === key),
            ),
          }))
          .sort((a, b) => b.totalTokens - a.totalTokens),
      };
    },
  };
}

function isFailed({ state }: RecordedRun): boolean {
  return state === 'FINISH_ERROR' || state === 'TIMEOUT';
}

function isWithin(at: Date, from: Date | null, to: Date | null): boolean {
  return (from === null || at >= from) && (to === null || at < to);
}

/** Largest first, then by key. */
function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string, hasFailed: (item: Item) => boolean = () => false): Share[] {
  const shares = new Map<string, Share>();
  for (const item of items) {
    const key = keyOf(item);
    const share = shares.get(key) ?? { key, name: key, total: 0, failed: 0 };
    shares.set(key, { ...share, total: share.total + 1, failed: share.failed + (hasFailed(item) ? 1 : 0) });
  }
  return [...shares.values()].sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
}
