import { setTimeout as sleep } from 'node:timers/promises';
import { dropIdleConnections } from './event-stream-client.ts';
import type { Lane } from './lane.ts';
import { askProbe } from './process-readings.ts';
import type { ScratchDatabase, StatementCount, TableWrites } from './scratch-database.ts';

/** What one turn does to the database. Every number is of one turn. */
export interface TurnWrites {
  readonly roundTrips: number;
  readonly statements: number;
  /** Transactions that wrote. */
  readonly commits: number;
  readonly walBytes: number;
  readonly tables: readonly TableWrites[];
  readonly perStatement: readonly StatementCount[];
}

const SETTLE_MS = 300;

/** Counted in a pass of its own, since counting round trips costs time. */
export async function measureWrites(options: {
  lane: Lane;
  database: string;
  turns: number;
  scratch: ScratchDatabase;
}): Promise<TurnWrites> {
  const { lane, database, turns, scratch } = options;
  dropIdleConnections();
  await lane.prepare(turns * 2);
  await scratch.checkpoint();
  // The first writes after a checkpoint log whole pages: these turns take them.
  for (let turn = 0; turn < turns; turn += 1) await lane.turn();
  await sleep(SETTLE_MS);
  const before = { ...(await scratch.readCounters(database)), statementCounts: await scratch.readStatements(database) };
  const position = await scratch.readPosition();
  await askProbe(lane.server.probeUrl, 'round-trips/start');
  for (let turn = 0; turn < turns; turn += 1) await lane.turn();
  await sleep(SETTLE_MS);
  const { roundTrips } = await askProbe(lane.server.probeUrl, 'round-trips/stop');
  const after = await scratch.readCounters(database);
  const tables = await scratch.readWrites(database, position);
  const commits = await scratch.countWritingCommits(position);
  return {
    roundTrips: roundTrips / turns,
    statements: (after.statements - before.statements) / turns,
    commits: commits / turns,
    walBytes: tables.reduce((sum, table) => sum + table.walBytes, 0) / turns,
    tables: tables.map(({ table, ...counts }) => ({ table, ...perTurn(counts, turns) })),
    perStatement: statementsSince(before.statementCounts, await scratch.readStatements(database), turns),
  };
}

function perTurn<Counts extends Record<string, number>>(counts: Counts, turns: number): Counts {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / turns])) as Counts;
}

function statementsSince(before: readonly StatementCount[], after: readonly StatementCount[], turns: number): StatementCount[] {
  const earlier = new Map(before.map((statement) => [statement.text, statement]));
  return after
    .map(({ text, calls, rows, totalMs }) => {
      const base = earlier.get(text);
      return {
        text,
        calls: (calls - (base?.calls ?? 0)) / turns,
        rows: (rows - (base?.rows ?? 0)) / turns,
        totalMs: (totalMs - (base?.totalMs ?? 0)) / turns,
      };
    })
    .filter(({ calls }) => calls >= 0.1)
    .sort((a, b) => b.calls - a.calls);
}
