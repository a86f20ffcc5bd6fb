import { z } from 'zod';
import { invocationView, runEventView, runListQuery, runView } from '#lib/supervisor/contract.ts';

/** Shapes of the record as the API and the browser see them. Instants are ISO 8601 in UTC. */

const viewed = {
  /** How it is shown to whoever asks: their own, somebody else's redacted, or in plain for a reason they gave. */
  viewing: z.enum(['own', 'redacted', 'revealed']),
  /** When a reveal ends; null where there is none. */
  revealedUntil: z.string().nullable(),
};

export const viewedRun = runView.extend(viewed);
export type ViewedRun = z.infer<typeof viewedRun>;

/** A call without what it was given and what it gave: those are read one call at a time. */
export const invocationHead = invocationView.omit({ arguments: true, output: true });
export type InvocationHead = z.infer<typeof invocationHead>;

export const sessionMoveView = z.object({ from: z.string(), to: z.string(), reason: z.string(), at: z.string() });
export type SessionMoveView = z.infer<typeof sessionMoveView>;

/**
 * What the pictures of a run are drawn from, however long it was: its calls without their content, the events that shaped
 * it, and the moves of its session.
 */
export const runTrace = z.object({
  run: viewedRun.extend({ invocations: z.array(invocationHead) }),
  events: z.array(runEventView),
  sessionMoves: z.array(sessionMoveView),
  /** There were more events of these types than were read. */
  isCut: z.boolean(),
});
export type RunTrace = z.infer<typeof runTrace>;
export type TracedRun = RunTrace['run'];

export const revealBody = z.object({ reason: z.string().trim().min(3).max(500) });
export const revealView = z.object({ runId: z.string(), reason: z.string(), expiresAt: z.string() });
export type RevealView = z.infer<typeof revealView>;

/** How far back figures reach. */
export const FIGURES_PERIODS = ['1d', '7d', '30d', '90d'] as const;
export const figuresQuery = z.object({ period: z.enum(FIGURES_PERIODS).default('7d') });
export type FiguresPeriod = z.infer<typeof figuresQuery>['period'];

const milliseconds = z.number().nullable();

/**
 * What a workspace's runs came to: of those that were asked for in a period, and of those that are open now. Durations are
 * milliseconds, null where nothing has ended. Nothing that was said is in it.
 */
export const figuresView = z.object({
  period: z.enum(FIGURES_PERIODS),
  from: z.string(),
  to: z.string(),
  /** There were more runs than are counted: the newest of them are. */
  isCut: z.boolean(),
  runs: z.object({
    total: z.number(),
    succeeded: z.number(),
    failed: z.number(),
    stopped: z.number(),
    p50Ms: milliseconds,
    p95Ms: milliseconds,
  }),
  /** The slowest first. `capabilityId` is null for names that no tool has. */
  tools: z.array(
    z.object({
      capabilityId: z.string().nullable(),
      calls: z.number(),
      failed: z.number(),
      /** Attempts beyond the first of each call. */
      retries: z.number(),
      /** From the first attempt to the end: what was waited for people is not in it. */
      meanMs: milliseconds,
      p95Ms: milliseconds,
    }),
  ),
  /** The most expensive first, then by tokens. */
  models: z.array(
    z.object({
      provider: z.string(),
      model: z.string(),
      scene: z.string(),
      calls: z.number(),
      /** What came from a cache included. */
      inputTokens: z.number(),
      outputTokens: z.number(),
      meanMs: milliseconds,
      /** By currency. */
      costs: z.array(z.object({ currency: z.string(), micros: z.number() })),
      /** Calls without a price. */
      unpriced: z.number(),
    }),
  ),
  /** Where open runs stand now, the longest silent first. */
  stages: z.array(
    z.object({
      stage: z.enum(['queue', 'begin', 'steps', 'model', 'tool', 'retry', 'approval', 'question', 'tasks']),
      runs: z.number(),
      /** Of the one that has been silent for longest. */
      runId: z.string(),
      /** When it was last heard of. */
      since: z.string(),
    }),
  ),
});
export type FiguresView = z.infer<typeof figuresView>;

export const exportState = z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED', 'EXPIRED']);

export const exportView = z.object({
  id: z.string(),
  state: exportState,
  format: z.enum(['json', 'csv']),
  /** Set for the export of one run. */
  runId: z.string().nullable(),
  /** The filters of the set. */
  query: z.record(z.string(), z.unknown()),
  /** Whether what is personal was taken out; also in the file's name. */
  redaction: z.enum(['redacted', 'plain']),
  fileName: z.string(),
  runCount: z.number(),
  /** null until they were counted. */
  totalCount: z.number().nullable(),
  byteCount: z.number(),
  error: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** When the file is deleted. */
  expiresAt: z.string().nullable(),
});
export type ExportView = z.infer<typeof exportView>;
export const exportList = z.object({ items: z.array(exportView) });

export const exportBody = z.object({
  format: z.enum(['json', 'csv']),
  /** Begins the file with a byte order mark, without which Excel misreads Chinese. CSV only. */
  bom: z.boolean().default(false),
  /** One run, with its log; without it, the runs that `query` leaves. */
  run: z.string().optional(),
  query: runListQuery.omit({ cursor: true, limit: true, after: true }).default({}),
});
export type ExportBody = z.infer<typeof exportBody>;

export const usageQuery = z.object({
  by: z.enum(['model', 'scene', 'person', 'day']).default('model'),
  /** So many days of the workspace's calendar, today the last of them. */
  days: z.coerce.number().int().min(1).max(366).default(30),
});
export type UsageQuery = z.infer<typeof usageQuery>;

/** What model calls used, in classes that do not overlap: they sum to `totalTokens`. */
export const modelUseView = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  cacheWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  totalTokens: z.number(),
  /** Calls whose usage the provider did not report: counted by us. */
  estimatedCalls: z.number(),
  /** Calls of models without a price: what they cost is not in `costs`. */
  unpricedCalls: z.number(),
  costs: z.array(z.object({ currency: z.string(), micros: z.number() })),
});
export type ModelUseView = z.infer<typeof modelUseView>;

/** `key` is a model as `provider/model`, a purpose (`answer`, `specialist`, `summary`), a person's id, or a day as `2026-11-30`. */
export const modelUseRow = modelUseView.extend({ key: z.string(), name: z.string().nullable() });
export type ModelUseRow = z.infer<typeof modelUseRow>;

export const modelUsageView = z.object({
  by: usageQuery.shape.by,
  /** First and last day, in the time zone of the workspace. */
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** The most tokens first; days in their order. */
  items: z.array(modelUseRow),
  total: modelUseView,
});
export type ModelUsageView = z.infer<typeof modelUsageView>;

export const toolUseRow = z.object({
  capabilityId: z.string(),
  calls: z.number(),
  succeeded: z.number(),
  /** They ran, and failed for good. */
  failed: z.number(),
  /** They never ran: no permission, wrong arguments, nobody allowed them. */
  refused: z.number(),
  /** Attempts beyond the first. */
  retries: z.number(),
  /** From the first attempt to the end, of calls that ran and have ended; null where there is none. */
  averageMs: z.number().nullable(),
  longestMs: z.number().nullable(),
});
export type ToolUseRow = z.infer<typeof toolUseRow>;
export const toolUsageView = z.object({ from: z.string(), to: z.string(), timeZone: z.string(), items: z.array(toolUseRow) });
export type ToolUsageView = z.infer<typeof toolUsageView>;
