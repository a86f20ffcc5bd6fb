import { createHash } from 'node:crypto';
import { type Id, toUuid } from '#lib/kernel/index.ts';

/** A run's trace: its own id, so that every process and every log line has the same without asking. 32 hexadecimal digits. */
export function traceIdOf(runId: Id<'run'>): string {
  return toUuid(runId).replaceAll('-', '');
}

/** The span of what stands at `path` in a trace; '' is the whole of it. 16 hexadecimal digits. */
export function spanIdOf(traceId: string, path: string): string {
  return createHash('sha256').update(`${traceId}/${path}`).digest('hex').slice(0, 16);
}

/** Whether this share of traces, 0 to 1, has it in. The same for every process: the end of the id is random. */
export function isSampled(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32;
}
