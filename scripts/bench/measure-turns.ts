import { setTimeout as sleep } from 'node:timers/promises';
import { dropIdleConnections } from './event-stream-client.ts';
import type { Lane, TurnTiming } from './lane.ts';
import { askProbe, readPostgresCpuMs } from './process-readings.ts';
import type { QuietMachine } from './quiet-machine.ts';
import type { ScratchDatabase } from './scratch-database.ts';
import { median, percentile, shuffled } from './statistics.ts';

/** Figures of one round of one lane, by name. `otherLoad` is what other processes did to the machine meanwhile. */
export interface Round {
  readonly otherLoad: number;
  readonly figures: Readonly<Record<string, number>>;
}

const UNCOUNTED_TURNS = 3;
/** Until what the last turn left behind is done. */
const SETTLE_MS = 100;

/** Each round visits every lane in a new order; a lane's turns run one after another. */
export async function measureTurns(options: {
  lanes: readonly Lane[];
  rounds: number;
  turns: number;
  scratch: ScratchDatabase;
  machine: QuietMachine;
  onRound: (lane: Lane, round: Round) => void;
}): Promise<Map<Lane, Round[]>> {
  const { lanes, scratch, machine, turns } = options;
  const rounds = new Map<Lane, Round[]>(lanes.map((lane) => [lane, []]));
  for (let count = 0; count < options.rounds; count += 1) {
    for (const lane of shuffled(lanes)) {
      dropIdleConnections();
      await lane.prepare(turns + UNCOUNTED_TURNS);
      await machine.wait();
      dropIdleConnections();
      for (let turn = 0; turn < UNCOUNTED_TURNS; turn += 1) await lane.turn();
      await sleep(SETTLE_MS);
      const { result, otherLoad } = await machine.watch(() => measureRound(lane, turns, scratch));
      const round = { otherLoad, figures: result };
      rounds.get(lane)?.push(round);
      options.onRound(lane, round);
    }
  }
  return rounds;
}

async function measureRound(lane: Lane, turns: number, scratch: ScratchDatabase): Promise<Record<string, number>> {
  const counters = lane.database === null ? null : await scratch.readCounters(lane.database);
  const before = await askProbe(lane.server.probeUrl);
  const postgresBefore = readPostgresCpuMs(scratch.postmaster);
  const timings: TurnTiming[] = [];
  for (let turn = 0; turn < turns; turn += 1) timings.push(await lane.turn());
  await sleep(SETTLE_MS);
  const after = await askProbe(lane.server.probeUrl);
  const postgresCpuMs = readPostgresCpuMs(scratch.postmaster) - postgresBefore;
  const of = (read: (timing: TurnTiming) => number) => timings.map(read);
  const points = Object.keys(timings[0]?.points ?? {});
  return {
    total: median(of((timing) => timing.totalMs)),
    overhead: median(of((timing) => timing.overheadMs)),
    'overhead p95': percentile(
      of((timing) => timing.overheadMs),
      95,
    ),
    'first text': median(of((timing) => timing.firstTextMs)),
    cpu: (after.cpuMs - before.cpuMs) / turns,
    rss: after.rssBytes / 2 ** 20,
    ...Object.fromEntries(points.map((point) => [point, median(of((timing) => timing.points[point] ?? Number.NaN))])),
    ...(await lane.inspect?.(timings)),
    ...(lane.database !== null && counters && (await countersSince(scratch, lane.database, counters, turns))),
    ...(lane.database !== null && { 'postgres cpu': postgresCpuMs / turns }),
  };
}

async function countersSince(
  scratch: ScratchDatabase,
  database: string,
  before: Awaited<ReturnType<ScratchDatabase['readCounters']>>,
  turns: number,
): Promise<Record<string, number>> {
  const after = await scratch.readCounters(database);
  return {
    statements: (after.statements - before.statements) / turns,
    'wal KiB': (after.walBytes - before.walBytes) / turns / 1024,
  };
}

/** Turns whose figures nobody looks at: until code is compiled, caches are filled and connections stand. */
export async function warmUp(lanes: readonly Lane[], turns: number): Promise<void> {
  for (const lane of lanes) {
    dropIdleConnections();
    await lane.prepare(turns);
    for (let turn = 0; turn < turns; turn += 1) await lane.turn();
  }
}
