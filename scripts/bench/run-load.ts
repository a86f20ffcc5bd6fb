import path from 'node:path';
import { measureOverspend, type Overspend } from './measure-overspend.ts';
import { measureSessions } from './measure-streams.ts';
import type { Round } from './measure-turns.ts';
import { startModel } from './model-process.ts';
import { startOurServer } from './our-server.ts';
import { watchMachine } from './quiet-machine.ts';
import { describeMachine, markdownTable, type Summary, summarise, tableOf } from './report.ts';
import { startScratchDatabase } from './scratch-database.ts';

export interface LoadOptions {
  readonly root: string;
  readonly folder: string;
  /** How many sessions at once, one row each. */
  readonly sessions: readonly number[];
  readonly rounds: number;
  /** Turns at once against a budget for ten of them; 0: that is left out. */
  readonly starts: number;
  /** Cores that other processes may keep busy in a round that counts. */
  readonly quietLoad: number;
  readonly patienceMs: number;
}

/** As it is written to the file. */
export interface LoadResult {
  readonly at: string;
  readonly machine: string;
  readonly sessions: readonly Summary[];
  readonly overspend: Overspend | null;
}

const DATABASE = 'ours';
const BUDGET_FOR = 10;

/** Sessions that stream at once against the scripted model, from the scratch database to the table on the console. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  await using owned = new AsyncDisposableStack();
  const { root, folder, quietLoad, patienceMs } = options;
  console.log('Starting Postgres, the scripted model and the product (which is built first when its sources changed)');
  const scratch = await startScratchDatabase(path.join(folder, 'pg'));
  owned.defer(() => scratch.stop());
  const model = await startModel();
  owned.defer(() => model.stop());
  const server = await startOurServer({ root, folder, databaseUrl: await scratch.create(DATABASE), modelUrl: model.url });
  owned.defer(() => server.stop());
  const test = { server, database: DATABASE, scratch, machine: watchMachine({ quietLoad, patienceMs }) };
  console.log(`${describeMachine()}\n`);
  // The first sessions pay for what is loaded once.
  await measureSessions(test, 20);
  const rows = options.sessions.map((sessions) => ({ sessions, rounds: [] as Round[] }));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { sessions, rounds } of rows) {
      const measured = await measureSessions(test, sessions);
      rounds.push(measured);
      console.error(
        `  ${sessions} sessions: commit to reader p99 ${measured.figures['commit to reader p99']?.toFixed(0)} ms, others ${measured.otherLoad.toFixed(2)} cores`,
      );
    }
  }
  const summaries = rows.map(({ sessions, rounds }) => summarise(`${sessions} sessions`, rounds, quietLoad));
  console.log(
    '\nSessions at once, each 100 tokens at 50 a second: delay of an event from its commit to its reader, first text since it was sent (ms)\n',
  );
  console.log(tableOf(summaries, ['commit to reader p50', 'commit to reader p99', 'first text', 'first text p99', 'last text', 'wall']));
  console.log('\nWhat it takes: cores of the server and of Postgres, MiB, connections to the database at most\n');
  console.log(
    tableOf(summaries, [
      'cores',
      'postgres cores',
      'cpu per stream',
      'postgres cpu per stream',
      'peak rss',
      'rss growth per stream KiB',
      'connections',
      'loop delay p99',
    ]),
  );
  const overspend = options.starts > 0 ? await measureOverspend(test, { starts: options.starts, room: BUDGET_FOR }) : null;
  if (overspend) {
    console.log(`\n${overspend.starts} turns at once in a workspace that may use what ${BUDGET_FOR} of them take, in tokens\n`);
    const { starts: _starts, wallMs, ...amounts } = overspend;
    console.log(markdownTable([...Object.keys(amounts), 'wall s'], [[...Object.values(amounts).map(String), (wallMs / 1000).toFixed(1)]]));
  }
  return { at: new Date().toISOString(), machine: describeMachine(), sessions: summaries, overspend };
}
