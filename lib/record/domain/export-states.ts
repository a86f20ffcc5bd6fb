import { defineTransitions } from '#lib/kernel/index.ts';

export type ExportState = 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

/** RUNNING -> RUNNING: another process carries the export on under a higher epoch. */
export const exportTransitions = defineTransitions<ExportState>('export', {
  QUEUED: ['RUNNING', 'FAILED', 'CANCELLED'],
  RUNNING: ['RUNNING', 'DONE', 'FAILED', 'CANCELLED'],
  DONE: ['EXPIRED'],
  FAILED: [],
  CANCELLED: [],
  EXPIRED: [],
});

/** How long a finished file is kept. */
export const EXPORT_KEPT_MS = 24 * 3_600_000;
/** Exports of one person that may be under way at once. */
export const OPEN_EXPORTS = 3;

/** `runs-2026-11-30-1421-redacted.csv`: whoever finds the file sees what kind it is. */
export function exportFileName(given: { runId: string | null; at: Date; redaction: 'redacted' | 'plain'; format: 'json' | 'csv' }): string {
  const { runId, at, redaction, format } = given;
  const stamp = at.toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  return `${runId ?? 'runs'}-${stamp}-${redaction}.${format}`;
}
