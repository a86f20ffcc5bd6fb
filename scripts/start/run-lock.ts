import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity, signal, waitUntilGone } from '../processes.ts';

/** Who runs over a data directory. It stands in `run.json` there. */
export interface RunRecord {
  readonly starter: ProcessIdentity;
  /** Those whose end is the starter's end too, a moment later: npm, and the script that npm runs. */
  readonly startedBy: readonly ProcessIdentity[];
  readonly state: 'starting' | 'running' | 'stopping';
  readonly url?: string;
  /** The web server, so that one that outlives its starter can be ended by the next start. */
  readonly server?: ProcessIdentity;
}

export interface RunLock {
  update(change: Pick<RunRecord, 'state' | 'url' | 'server'>): void;
  release(): void;
}

const STOPPING_MS = 30_000;
const SERVER_END_MS = 5_000;

/**
 * Takes the data directory for this process, or gives the record of the one that has it. A record whose process is gone
 * is replaced, and what that process left running is waited for, then ended; one that is stopping is waited for.
 */
export async function takeRunLock(
  dataDirectory: string,
  say: (line: string) => void,
): Promise<{ taken: true; lock: RunLock } | { taken: false; holder: RunRecord }> {
  const file = path.join(dataDirectory, 'run.json');
  const starter = identify(process.pid);
  if (!starter) throw new Error('this process cannot see itself in the process table');
  const startedBy = (process.env.STARTED_BY ?? '').split(' ').flatMap((pid) => identify(Number(pid)) ?? []);
  let record: RunRecord = { starter, startedBy, state: 'starting' };
  const write = () => writeAtomically(file, record);

  while (!claim(file, record)) {
    const holder = read(file);
    if (holder && isAlive(holder.starter)) {
      const isStopping = holder.state === 'stopping' || !holder.startedBy.every(isAlive);
      if (!isStopping) return { taken: false, holder };
      say('The run before is still stopping: waiting for it');
      if (!(await waitUntilGone(holder.starter, STOPPING_MS))) return { taken: false, holder };
    } else if (holder?.server) {
      await endServer(holder.server);
    }
    setAside(file, holder);
    await sleep(10);
  }
  return {
    taken: true,
    lock: {
      update(change) {
        record = { ...record, ...change };
        write();
      },
      release: () => rmSync(file, { force: true }),
    },
  };
}

async function endServer(server: ProcessIdentity): Promise<void> {
  if (await waitUntilGone(server, SERVER_END_MS)) return;
  signal(server.pid, 'SIGKILL');
  await waitUntilGone(server, SERVER_END_MS);
}

/** A link is made or it is not: of two starts at one moment, one gets it. */
function claim(file: string, record: RunRecord): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the stale record, and only that one: another start may have replaced it meanwhile. */
function setAside(file: string, stale: RunRecord | null): void {
  const current = read(file);
  if (JSON.stringify(current) === JSON.stringify(stale)) rmSync(file, { force: true });
}

function writeAtomically(file: string, record: RunRecord): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  renameSync(draft, file);
}

function read(file: string): RunRecord | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
