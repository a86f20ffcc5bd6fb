import path from 'node:path';
import type { Lane } from './lane.ts';
import { measureCrowd } from './measure-crowd.ts';
import { measureReaders, measureRuns } from './measure-streams.ts';
import { measureTurns, type Round, warmUp } from './measure-turns.ts';
import { measureWrites, type TurnWrites } from './measure-writes.ts';
import { WORKLOADS } from './model-plan.ts';
import { startModel } from './model-process.ts';
import { createOurLane, createOurModelLane, OUR_WORK, ourApi } from './our-lane.ts';
import { type OurServer, startOurServer } from './our-server.ts';
import { createPeerLane, type PeerName, startPeer } from './peer-lane.ts';
import { askProbe, saveProfile } from './process-readings.ts';
import { type QuietMachine, watchMachine } from './quiet-machine.ts';
import { describeMachine, markdownTable, type Summary, summarise, tableOf, writesTable } from './report.ts';
import { type ScratchDatabase, startScratchDatabase } from './scratch-database.ts';
import { median } from './statistics.ts';

export interface BenchOptions {
  readonly root: string;
  readonly folder: string;
  readonly isQuick: boolean;
  /** Parts to run; null for all. */
  readonly only: readonly string[] | null;
  readonly rounds: number | null;
  readonly turns: number | null;
  /** Where a processor profile of 300 turns with one step goes; null for none. */
  readonly profileFile: string | null;
  /** Whether the statements of a turn are listed. */
  readonly showsStatements: boolean;
  /** Cores that other processes may keep busy. */
  readonly quietLoad: number;
  /** Time that all waits for them may take together; null for what fits the run. */
  readonly patienceMs: number | null;
}

const OURS = 'ours';
const PEERS: readonly PeerName[] = ['fetch', 'ai-sdk', 'ai-sdk-inserts'];
const CROWD = 100;

interface Bench {
  readonly options: BenchOptions;
  readonly scratch: ScratchDatabase;
  readonly machine: QuietMachine;
  readonly server: OurServer;
  /** Of ours, on the deterministic path. */
  readonly ours: Record<keyof typeof OUR_WORK, Lane>;
  /** The loops' lanes and ours, on the scripted model. */
  readonly modelled: readonly Lane[];
  /** Likewise with a model that takes its time. */
  readonly paced: readonly Lane[];
}

/** Everything from the scratch database to the tables on the console; returns what goes into the file. */
export async function runBench(options: BenchOptions): Promise<object> {
  await using owned = new AsyncDisposableStack();
  const bench = await startAll(options, owned);
  const wants = (part: string) => options.only?.includes(part) ?? true;
  console.log(`${describeMachine()}\n`);
  const result = {
    at: new Date().toISOString(),
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    machine: describeMachine(),
    turns: wants('turns') ? await benchTurns(bench) : null,
    accepted: wants('turns') ? await benchAcceptance(bench) : null,
    writes: wants('writes') ? await benchWrites(bench) : null,
    streams: wants('streams') ? await benchStreams(bench) : null,
    crowd: wants('crowd') ? await benchCrowd(bench) : null,
  };
  if (options.profileFile) await profileTurns(bench, options.profileFile);
  return result;
}

async function startAll(options: BenchOptions, owned: AsyncDisposableStack): Promise<Bench> {
  const { root, folder } = options;
  console.log('Starting Postgres, the scripted model, the loops and the product (which is built first when its sources changed)');
  const scratch = await startScratchDatabase(path.join(folder, 'pg'));
  owned.defer(() => scratch.stop());
  const model = await startModel();
  owned.defer(() => model.stop());
  const server = await startOurServer({ root, folder, databaseUrl: await scratch.create(OURS), modelUrl: model.url });
  owned.defer(() => server.stop());
  const lanes: { plain: Lane[]; paced: Lane[] } = { plain: [], paced: [] };
  for (const name of PEERS) {
    const database = name.replaceAll('-', '_');
    const databaseUrl = await scratch.create(database);
    const peer = await startPeer({ name, modelUrl: model.url, databaseUrl, databasePort: scratch.port, folder });
    owned.defer(() => peer.stop());
    const lane = (work: keyof typeof WORKLOADS) =>
      createPeerLane({
        server: peer,
        work,
        workload: WORKLOADS[work],
        modelUrl: model.url,
        database: name === 'ai-sdk-inserts' ? database : null,
      });
    lanes.plain.push(lane('W1'), lane('W2'));
    lanes.paced.push(lane('paced'));
  }
  const oursOnModel = (work: keyof typeof WORKLOADS) =>
    createOurModelLane({ server, scratch, database: OURS, work, workload: WORKLOADS[work], modelUrl: model.url });
  lanes.plain.push(oursOnModel('W1'), oursOnModel('W2'));
  lanes.paced.push(oursOnModel('paced'));
  const ours = (work: keyof typeof OUR_WORK) => createOurLane({ server, scratch, database: OURS, work: OUR_WORK[work] });
  return {
    options,
    scratch,
    machine: watchMachine({ quietLoad: options.quietLoad, patienceMs: options.patienceMs ?? (options.isQuick ? 5_000 : 45_000) }),
    server,
    ours: { none: ours('none'), one: ours('one'), three: ours('three'), paced: ours('paced') },
    modelled: lanes.plain,
    paced: lanes.paced,
  };
}

/** One turn at a time. */
async function benchTurns({ options, ours, modelled, scratch, machine }: Bench): Promise<Summary[]> {
  const lanes = [...modelled, ours.none, ours.one, ours.three];
  await warmUp(lanes, options.isQuick ? 25 : 60);
  const measured = await measureTurns({
    lanes,
    rounds: options.rounds ?? (options.isQuick ? 2 : 7),
    turns: options.turns ?? (options.isQuick ? 10 : 15),
    scratch,
    machine,
    onRound: (lane, { figures, otherLoad }) =>
      console.error(`  ${lane.name}, ${lane.work}: ${figures.overhead?.toFixed(1)} ms, others ${otherLoad.toFixed(2)} cores`),
  });
  const summaries = [...measured].map(([lane, rounds]) => summarise(titleOf(lane), rounds, options.quietLoad));
  console.log('\nOne turn at a time: ms of wall time without the model, ms of processor time, counts per turn\n');
  console.log(tableOf(summaries, ['overhead', 'overhead p95', 'first text', 'cpu', 'postgres cpu', 'statements', 'wal KiB', 'rss']));
  console.log('\nWithin a turn of ours: ms since it was sent; from submit to drive and from drive to end by the run itself\n');
  const within = ['headers', 'first event', 'begun', 'first text', 'log ends', 'total', 'submit to drive', 'drive to end'];
  console.log(
    tableOf(
      summaries.filter(({ title }) => title.startsWith(OURS)),
      within,
    ),
  );
  return summaries;
}

/** A message that is only accepted: from the request to its 202. */
async function benchAcceptance({ options, server }: Bench): Promise<object> {
  const api = ourApi(server);
  await api.useModel(false);
  const count = options.isQuick ? 30 : 100;
  const acceptedMs: number[] = [];
  for (const sessionId of await api.newSessions(count)) {
    const sent = await api.post(sessionId, OUR_WORK.one.message);
    acceptedMs.push(sent.acceptedMs);
    await api.follow(sent.runId);
  }
  console.log(`\nFrom POST to 202: ${median(acceptedMs).toFixed(1)} ms at the median of ${count}`);
  return { medianMs: median(acceptedMs), count };
}

/** What a turn does to the database. */
async function benchWrites({ options, ours, modelled, scratch }: Bench): Promise<Record<string, TurnWrites>> {
  const lanes = [...modelled, ours.none, ours.one, ours.three].filter(({ database }) => database !== null);
  const written: Record<string, TurnWrites> = {};
  for (const lane of lanes) {
    const writes = await measureWrites({ lane, database: lane.database ?? '', turns: options.isQuick ? 10 : 20, scratch });
    written[titleOf(lane)] = writes;
    const { roundTrips, statements, commits, walBytes } = writes;
    console.log(
      `\n${titleOf(lane)}, per turn: ${roundTrips.toFixed(1)} round trips, ${statements.toFixed(1)} statements, ${commits.toFixed(1)} writing commits, ${Math.round(walBytes)} bytes of log (without page images)\n`,
    );
    console.log(writesTable(writes));
    if (options.showsStatements) {
      const rows = writes.perStatement.map(({ text, calls, totalMs }) => [calls.toFixed(1), totalMs.toFixed(2), text.slice(0, 150)]);
      console.log(`\n${markdownTable(['calls', 'ms', 'statement'], rows)}`);
    }
  }
  return written;
}

/** What it costs to be read: many readers of one run, many runs at once. */
async function benchStreams({ options, server, scratch, machine }: Bench): Promise<Summary[]> {
  const test = { server, database: OURS, scratch, machine };
  const rows = [
    { title: '1 reader of one run', measure: () => measureReaders(test, 1) },
    { title: '50 readers of one run', measure: () => measureReaders(test, 50) },
    { title: '200 readers of one run', measure: () => measureReaders(test, 200) },
    { title: '50 runs at once', measure: () => measureRuns(test, 50) },
    { title: '200 runs at once', measure: () => measureRuns(test, 200) },
  ].map((row) => ({ ...row, rounds: [] as Round[] }));
  for (let round = 0; round < (options.isQuick ? 1 : 3); round += 1) for (const row of rows) row.rounds.push(await row.measure());
  const summaries = rows.map(({ title, rounds }) => summarise(title, rounds, options.quietLoad));
  console.log('\nStreams of 100 chunks, one each 20 ms: ms, processor ms per stream, MiB\n');
  console.log(
    tableOf(summaries, [
      'commit to reader p50',
      'commit to reader p99',
      'written to reader p50',
      'written to reader p99',
      'first text',
      'cpu per stream',
      'postgres cpu per stream',
      'cores',
      'peak rss',
      'rss growth per stream KiB',
      'loop delay p99',
      'events per stream',
    ]),
  );
  return summaries;
}

/** A hundred sessions at once: at the model's pace, and as fast as they go. */
async function benchCrowd({ options, ours, paced, scratch, machine }: Bench): Promise<Summary[]> {
  const rows = [
    ...paced.map((lane) => ({ lane, title: titleOf(lane), turnsEach: 1 })),
    { lane: ours.one, title: `${titleOf(ours.one)}, unpaced`, turnsEach: 4 },
  ].map((row) => ({ ...row, rounds: [] as Round[] }));
  await warmUp(paced, 2);
  for (let round = 0; round < (options.isQuick ? 1 : 3); round += 1) {
    for (const { lane, turnsEach, rounds } of rows) {
      rounds.push(await measureCrowd({ lane, turnsEach, sessions: CROWD, scratch, machine }));
    }
  }
  const summaries = rows.map(({ title, rounds }) => summarise(title, rounds, options.quietLoad));
  console.log(`\n${CROWD} sessions at once: a model that says 50 tokens a second; then ours without a model, as fast as it goes\n`);
  console.log(
    tableOf(summaries, [
      'first text p50',
      'first text p99',
      'overhead p50',
      'overhead p99',
      'turns a second',
      'cpu',
      'postgres cpu',
      'cores',
      'loop delay p99',
    ]),
  );
  return summaries;
}

/** A profile of the server while it answers turns with one step. */
async function profileTurns({ ours, server }: Bench, file: string): Promise<void> {
  const turns = 300;
  await ours.one.prepare(turns);
  await askProbe(server.probeUrl, 'profile/start');
  for (let turn = 0; turn < turns; turn += 1) await ours.one.turn();
  await saveProfile(server.probeUrl, file);
  console.log(`\nProfile of ${turns} turns with one step: ${file}`);
}

function titleOf(lane: Lane): string {
  return `${lane.name}: ${lane.work}`;
}
