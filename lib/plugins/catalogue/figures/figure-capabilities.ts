import type { CapabilityCall, CapabilityHandler, CapabilityMetadata, LocalisedText, ObjectSchema } from '#lib/capabilities/index.ts';
import { AppError, type JsonObject } from '#lib/kernel/index.ts';
import type { FiguresQuery, TenantFigures } from '../../domain/tenant-figures.ts';
import { boundsOf } from './period.ts';

/** What a figure capability is called and found by; the rest follows from what it counts. */
export interface FigureCapabilityNames {
  readonly id: string;
  readonly title: LocalisedText;
  readonly description: LocalisedText;
  readonly keywords: readonly string[];
  readonly examples: readonly LocalisedText[];
}

const DAY = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', 'x-source': 'date' } as const;

const PERIOD_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    from: {
      ...DAY,
      description: 'First day, YYYY-MM-DD in the person’s time zone. Absent: from the beginning.',
      'x-after': ['from', 'since', '从'],
    },
    to: { ...DAY, description: 'Last day, YYYY-MM-DD. Absent: until now.', 'x-after': ['to', 'until', '到', '至'] },
  },
  additionalProperties: false,
};

/** The same, with the choice of one's own runs only. */
const PERSONAL_SCHEMA: ObjectSchema = {
  ...PERIOD_SCHEMA,
  properties: {
    ...(PERIOD_SCHEMA['properties'] as JsonObject),
    mine: { type: 'boolean', description: 'Only the person’s own runs.', 'x-synonyms': { true: ['my', 'mine', '我的'] } },
  },
};

const COUNTS = { sideEffect: 'read', idempotency: 'idempotent', timeoutMs: 10_000, version: '1.0.0', status: 'active' } as const;

/** Figures of runs, of calls or of model usage: everyone's with `run:audit`, else the person's own. */
export function personalFigures(kind: 'runs' | 'calls' | 'usage', names: FigureCapabilityNames) {
  const metadata: CapabilityMetadata = {
    ...names,
    ...COUNTS,
    domain: 'records',
    inputSchema: PERSONAL_SCHEMA,
    requiredPermissions: ['capability:invoke', 'run:read'],
  };
  return {
    metadata,
    create:
      ({ figures }: { readonly figures: TenantFigures }): CapabilityHandler =>
      async (args, call) => {
        const ownOnly = args['mine'] === true || !call.permissions.has('run:audit');
        const output = await figures[kind](queryOf(args, call, ownOnly));
        const total = 'total' in output ? output.total : output.totalTokens;
        return answer({ ...output, scope: ownOnly ? 'own' : 'workspace' }, names.title, total, call);
      },
  };
}

/** Figures of members, which need `member:read`, or of documents, which need `knowledge:read`. */
export function standingFigures(kind: 'members' | 'documents', names: FigureCapabilityNames) {
  const metadata: CapabilityMetadata = {
    ...names,
    ...COUNTS,
    domain: 'records',
    inputSchema: PERIOD_SCHEMA,
    requiredPermissions: ['capability:invoke', kind === 'members' ? 'member:read' : 'knowledge:read'],
  };
  return {
    metadata,
    create:
      ({ figures }: { readonly figures: TenantFigures }): CapabilityHandler =>
      async (args, call) => {
        const output = await figures[kind](queryOf(args, call, false));
        return answer({ ...output, scope: 'workspace' }, names.title, output.total, call);
      },
  };
}

function queryOf(args: JsonObject, call: CapabilityCall, ownOnly: boolean): FiguresQuery {
  const day = (name: 'from' | 'to') => (typeof args[name] === 'string' ? args[name] : null);
  const [from, to] = [day('from'), day('to')];
  if (from && to && from > to) throw new AppError({ code: 'capability_failed', message: ORDER[call.locale] });
  return { scope: call.scope, ...boundsOf({ from, to }, call.timeZone), ownOnly, timeZone: call.timeZone, exceptRunId: call.runId };
}

const ORDER = { en: 'The first day lies after the last one.', 'zh-CN': '开始日期晚于结束日期。' };

function answer(output: JsonObject, title: LocalisedText, total: number, { locale }: CapabilityCall) {
  const count = new Intl.NumberFormat(locale).format(total);
  return { output, text: `${title[locale]}${locale === 'en' ? ': ' : '：'}**${count}**` };
}
