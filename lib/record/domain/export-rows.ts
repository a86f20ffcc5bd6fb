import type { RunEventView, RunView } from '#lib/supervisor/index.ts';
import { csvRow } from './csv.ts';

/** Excel reads UTF-8 as such only after this. */
export const BYTE_ORDER_MARK = '\uFEFF';
const MICROS = 1_000_000;

const RUN_COLUMNS: readonly (readonly [string, (run: RunView) => string | number | null])[] = [
  ['id', (run) => run.id],
  ['state', (run) => run.state],
  ['preset', (run) => run.preset],
  ['path', (run) => run.path],
  ['session', (run) => run.sessionId],
  ['actor_id', (run) => run.actor.userId],
  ['actor', (run) => run.actor.name],
  ['created_at', (run) => run.createdAt],
  ['started_at', (run) => run.startedAt],
  ['ended_at', (run) => run.endedAt],
  ['duration_ms', (run) => run.durationMs],
  ['waited_ms', (run) => run.waitedMs],
  ['steps', (run) => run.stepCount],
  ['calls_succeeded', (run) => run.callsSucceeded],
  ['calls_failed', (run) => run.callsFailed],
  ['tokens', (run) => run.totalTokens],
  ['cost', (run) => (run.cost ? run.cost.micros / MICROS : null)],
  ['currency', (run) => run.cost?.currency ?? null],
  ['capabilities', (run) => run.invocations.map(({ capabilityId }) => capabilityId).join(' ')],
  ['message', (run) => run.message],
  ['answer', (run) => run.answer],
  ['error_code', (run) => run.error?.code ?? null],
  ['error_message', (run) => run.error?.message ?? null],
];

/** How a file of one kind is put together from pieces, each of which is written on its own. */
export interface ExportShape<Item> {
  readonly head: string;
  piece(items: readonly Item[], isFirst: boolean): string;
  readonly tail: string;
}

export function shapeOfRuns(format: 'json' | 'csv'): ExportShape<RunView> {
  return format === 'json'
    ? { head: '[\n', piece: jsonItems, tail: '\n]\n' }
    : {
        head: csvRow(RUN_COLUMNS.map(([name]) => name)),
        piece: (runs) => runs.map((run) => csvRow(RUN_COLUMNS.map(([, read]) => read(run)))).join(''),
        tail: '',
      };
}

/** One run: what it was, and its whole log. As CSV the log alone, an entry a row. */
export function shapeOfLog(format: 'json' | 'csv', run: RunView): ExportShape<RunEventView> {
  return format === 'json'
    ? { head: `{"run": ${JSON.stringify(run)},\n"events": [\n`, piece: jsonItems, tail: '\n]}\n' }
    : {
        head: csvRow(['seq', 'at', 'type', 'payload']),
        piece: (events) => events.map(({ seq, at, type, payload }) => csvRow([seq, at, type, JSON.stringify(payload)])).join(''),
        tail: '',
      };
}

function jsonItems(items: readonly unknown[], isFirst: boolean): string {
  const text = items.map((item) => JSON.stringify(item)).join(',\n');
  return isFirst || text === '' ? text : `,\n${text}`;
}
