import { z } from 'zod';
import type { CallScope } from '#lib/capabilities/index.ts';
import type { Id } from '#lib/kernel/index.ts';

/** What figures are asked for. The caller has checked what the person may see: `ownOnly` keeps to their own runs. */
export interface FiguresQuery {
  readonly scope: CallScope;
  /** Inclusive; null: from the beginning. */
  readonly from: Date | null;
  /** Exclusive; null: until now. */
  readonly to: Date | null;
  readonly ownOnly: boolean;
  /** Days are counted in this zone. */
  readonly timeZone: string;
  /** The run that asks is not counted. */
  readonly exceptRunId: Id<'run'>;
}

/** One part of a whole. Largest first, where the parts have no order of their own. */
const share = z.object({ key: z.string(), name: z.string(), total: z.number(), failed: z.number() });
export type Share = z.infer<typeof share>;

/** Runs that were asked for in the period. `failed` counts `FINISH_ERROR` and `TIMEOUT`. */
export const runFigures = z.object({
  total: z.number(),
  byState: z.record(z.string(), z.number()),
  /** Of runs that have ended, from the first work to the end; null without any. */
  averageMs: z.number().nullable(),
  longestMs: z.number().nullable(),
  byPerson: z.array(share),
  byPreset: z.array(share),
  /** Days with runs, oldest first; `key` is YYYY-MM-DD. */
  byDay: z.array(share),
});
export type RunFigures = z.infer<typeof runFigures>;

/** Capability calls of runs that were asked for in the period; refused ones are among the failed. */
export const callFigures = z.object({
  total: z.number(),
  failed: z.number(),
  byCapability: z.array(share.extend({ averageMs: z.number().nullable() })),
  /** Error codes of failed calls, most frequent first. */
  byError: z.array(z.object({ code: z.string(), total: z.number() })),
});
export type CallFigures = z.infer<typeof callFigures>;

/** Members as of now; `joined` counts those of the period. */
export const memberFigures = z.object({
  total: z.number(),
  joined: z.number(),
  byRole: z.array(z.object({ key: z.string(), name: z.string(), total: z.number() })),
});
export type MemberFigures = z.infer<typeof memberFigures>;

/** Documents as of now; `added` and `changed` count those of the period. */
export const documentFigures = z.object({
  total: z.number(),
  added: z.number(),
  changed: z.number(),
  byLanguage: z.array(z.object({ key: z.string(), total: z.number() })),
  /** The newest few, newest first; instants in ISO 8601. */
  latest: z.array(z.object({ title: z.string(), createdAt: z.string() })),
});
export type DocumentFigures = z.infer<typeof documentFigures>;

/** Model calls of runs that were asked for in the period. */
export const usageFigures = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  totalTokens: z.number(),
  /** In millionths, by currency; calls without a price are counted in `unpriced`. */
  costs: z.array(z.object({ currency: z.string(), micros: z.number() })),
  unpriced: z.number(),
  byModel: z.array(z.object({ model: z.string(), calls: z.number(), totalTokens: z.number() })),
});
export type UsageFigures = z.infer<typeof usageFigures>;

/** What a tenant's records add up to. */
export interface TenantFigures {
  runs(query: FiguresQuery): Promise<RunFigures>;
  calls(query: FiguresQuery): Promise<CallFigures>;
  members(query: FiguresQuery): Promise<MemberFigures>;
  documents(query: FiguresQuery): Promise<DocumentFigures>;
  usage(query: FiguresQuery): Promise<UsageFigures>;
}
