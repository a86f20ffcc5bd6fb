import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './clock.ts';
import { dropIdleConnections } from './event-stream-client.ts';
import type { Lane, TurnTiming } from './lane.ts';
import type { Round } from './measure-turns.ts';
import { askProbe, readPostgresCpuMs } from './process-readings.ts';
import type { QuietMachine } from './quiet-machine.ts';
import type { ScratchDatabase } from './scratch-database.ts';
import { percentile } from './statistics.ts';

/** The crowd does not come in one instant. */
const APART_MS = 5;

/** Many sessions at once, each with `turnsEach` turns one after another. */
export async function measureCrowd(options: {
  lane: Lane;
  sessions: number;
  turnsEach: number;
  scratch: ScratchDatabase;
  machine: QuietMachine;
}): Promise<Round> {
  const { lane, sessions, turnsEach, scratch, machine } = options;
  dropIdleConnections();
  await lane.prepare(sessions * turnsEach);
  await machine.wait();
  dropIdleConnections();
  const { result, otherLoad } = await machine.watch(async () => {
    const before = await askProbe(lane.server.probeUrl, 'delay/start');
    const postgresBefore = readPostgresCpuMs(scratch.postmaster);
    const startMs = nowMs();
    const timings = await Promise.all(Array.from({ length: sessions }, (_session, index) => visit(lane, turnsEach, index * APART_MS)));
    const wallMs = nowMs() - startMs;
    const after = await askProbe(lane.server.probeUrl, 'delay/stop');
    return { timings: timings.flat(), wallMs, before, after, postgresMs: readPostgresCpuMs(scratch.postmaster) - postgresBefore };
  });
  const { timings, before, after } = result;
  const of = (read: (timing: TurnTiming) => number, percent: number) => percentile(timings.map(read), percent);
  return {
    otherLoad,
    figures: {
      'turns a second': timings.length / (result.wallMs / 1000),
      'overhead p50': of((timing) => timing.overheadMs, 50),
      'overhead p99': of((timing) => timing.overheadMs, 99),
      'first text p50': of((timing) => timing.firstTextMs, 50),
      'first text p99': of((timing) => timing.firstTextMs, 99),
      cpu: (after.cpuMs - before.cpuMs) / timings.length,
      'postgres cpu': lane.database === null ? 0 : result.postgresMs / timings.length,
      cores: (after.cpuMs - before.cpuMs) / result.wallMs,
      'loop delay p99': after.delayMs.p99,
    },
  };
}

async function visit(lane: Lane, turns: number, afterMs: number): Promise<TurnTiming[]> {
  await sleep(afterMs);
  const timings: TurnTiming[] = [];
  for (let turn = 0; turn < turns; turn += 1) timings.push(await lane.turn());
  return timings;
}
