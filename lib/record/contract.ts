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
