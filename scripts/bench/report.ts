import os from 'node:os';
import type { Round } from './measure-turns.ts';
import type { TurnWrites } from './measure-writes.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** Figures of one row over its rounds. */
export interface Summary {
  readonly title: string;
  readonly rounds: number;
  /** Rounds that other processes disturbed too much to count. */
  readonly leftOut: number;
  readonly maxOtherLoad: number;
  readonly figures: Readonly<Record<string, Spread>>;
}

/**
 * The rounds in which other processes kept quiet, when there are three or more; else the quieter half, so that a busy machine
 * still gives figures. The summary says how loud it was.
 */
export function summarise(title: string, rounds: readonly Round[], quietLoad: number): Summary {
  const byLoad = [...rounds].sort((a, b) => a.otherLoad - b.otherLoad);
  const quiet = byLoad.filter(({ otherLoad }) => otherLoad <= quietLoad);
  const used =
    quiet.length >= Math.min(3, rounds.length)
      ? quiet
      : byLoad.slice(0, Math.max(Math.min(3, rounds.length), Math.ceil(rounds.length / 2)));
  const names = Object.keys(used[0]?.figures ?? {});
  return {
    title,
    rounds: rounds.length,
    leftOut: rounds.length - used.length,
    maxOtherLoad: Math.max(...used.map(({ otherLoad }) => otherLoad)),
    figures: Object.fromEntries(names.map((name) => [name, spreadOf(used.map(({ figures }) => figures[name] ?? Number.NaN))])),
  };
}

/** One row a summary, `median [min-max]`; a column that no row has is left out. */
export function tableOf(summaries: readonly Summary[], columns: readonly string[]): string {
  const used = columns.filter((column) => summaries.some(({ figures }) => figures[column]));
  const rows = summaries.map(({ title, figures }) => [
    title,
    ...used.map((column) => {
      const spread = figures[column];
      if (!spread) return '-';
      return spread.count === 1 ? short(spread.median) : `${short(spread.median)} [${short(spread.min)}-${short(spread.max)}]`;
    }),
  ]);
  return markdownTable(['', ...used], rows);
}

/** What one turn writes, by table. */
export function writesTable(writes: TurnWrites): string {
  const rows = writes.tables.map((table) => [
    table.table,
    ...[table.inserted, table.updated, table.deleted, table.indexEntries, table.walBytes].map(short),
  ]);
  return markdownTable(['table', 'inserted', 'updated', 'deleted', 'index entries', 'WAL bytes'], rows);
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

export function describeMachine(): string {
  const cpus = os.cpus();
  return `${cpus.length} x ${cpus[0]?.model ?? 'processor'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${os.platform()} ${os.arch()}`;
}

function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 0.95 ? 1 : 2);
}
