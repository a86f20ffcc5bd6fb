import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** What a measured server says of itself (probe.mjs). */
const readings = z.object({
  cpuMs: z.number(),
  rssBytes: z.number(),
  heapBytes: z.number(),
  delayMs: z.object({ p50: z.number(), p99: z.number(), max: z.number().nullable() }),
  roundTrips: z.number(),
});
export type ProcessReadings = z.infer<typeof readings>;

export type ProbeAction = 'delay/start' | 'delay/stop' | 'round-trips/start' | 'round-trips/stop' | 'collect-garbage' | 'profile/start';

/** Reads a measured server, after having it do something. */
export async function askProbe(probeUrl: string, action: ProbeAction | '' = ''): Promise<ProcessReadings> {
  return readings.parse(await (await fetch(`${probeUrl}/${action}`)).json());
}

export async function saveProfile(probeUrl: string, file: string): Promise<void> {
  await fetch(`${probeUrl}/profile/stop?file=${encodeURIComponent(file)}`);
}

/** Linux counts processor time in ticks of 10 ms where it does not say nanoseconds. */
const TICK_MS = 10;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended. */
  readonly endedMs: number;
}

/** Processor time of a process and all below it, in ms, ended children included; exact to 10 ms a process. */
export function readTreeCpuMs(root: number): number {
  const all = listProcesses();
  const children = Map.groupBy(all, (entry) => entry.parent);
  const sum = (entry: ProcessEntry): number =>
    entry.ownMs + entry.endedMs + (children.get(entry.pid) ?? []).reduce((total, child) => total + sum(child), 0);
  const top = all.find((entry) => entry.pid === root);
  return top ? sum(top) : 0;
}

/** Processor time of Postgres, in ms: of each of its processes in nanoseconds, of those that ended in ticks. */
export function readPostgresCpuMs(postmaster: number): number {
  return listProcesses()
    .filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
    .reduce((sum, { pid, endedMs }) => sum + readRunMs(pid) + (pid === postmaster ? endedMs : 0), 0);
}

/** Busy ms of the whole machine, all cores together. */
export function readMachineBusyMs(): number {
  const firstLine = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = firstLine.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_MS;
}

function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readEntry(Number(name)) ?? []);
}

function readEntry(pid: number): ProcessEntry | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // After the command's name, which may hold spaces and brackets.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number) => fields[index] ?? 0;
  return { pid, parent: at(1), ownMs: (at(11) + at(12)) * TICK_MS, endedMs: (at(13) + at(14)) * TICK_MS };
}

function readRunMs(pid: number): number {
  return Number(readOrNull(`/proc/${pid}/schedstat`)?.split(' ')[0] ?? 0) / 1e6;
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
