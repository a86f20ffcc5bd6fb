import { existsSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandOf, identify, signal, waitUntilGone } from '../processes.ts';

const FAST_STOP_MS = 30_000;
const NO_PROCESS = 999_999_999;

/**
 * Stops a server that was left running over this cluster, and frees a lock whose number now belongs to someone else
 * (after a restart of a container the same small numbers come round again).
 */
export async function endLeftover(directory: string): Promise<void> {
  const pid = readServerPid(directory);
  if (pid === null) return;
  const holder = identify(pid);
  if (holder && isServerOf(directory, pid)) {
    signal(pid, 'SIGINT');
    if (await waitUntilGone(holder, FAST_STOP_MS)) return;
    signal(pid, 'SIGQUIT');
    await waitUntilGone(holder, FAST_STOP_MS);
  } else if (holder && !commandOf(pid).includes('postgres')) {
    disownLock(directory);
  }
}

/** The number in the cluster's lock file, null without one. */
function readServerPid(directory: string): number | null {
  const file = lockFile(directory);
  if (!existsSync(file)) return null;
  const pid = Math.abs(Number.parseInt(readFileSync(file, 'utf8'), 10));
  return pid > 0 ? pid : null;
}

/** Whether this server says in its lock file that it takes connections; a dead one's file may say so for ever. */
export function isReady(directory: string, pid: number): boolean {
  return readServerPid(directory) === pid && readFileSync(lockFile(directory), 'utf8').split('\n')[7]?.trim() === 'ready';
}

/** The file is kept, since Postgres also finds in it the shared memory that workers of the dead server may still use. */
function disownLock(directory: string): void {
  const file = lockFile(directory);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^-?\d+/, String(NO_PROCESS)));
}

/** By its working directory, which stays right when the folder was moved; by its arguments where that cannot be seen. */
function isServerOf(directory: string, pid: number): boolean {
  const command = commandOf(pid);
  if (!command.includes('postgres')) return false;
  if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  return command.includes(` -D ${directory} `);
}

function lockFile(directory: string): string {
  return path.join(directory, 'postmaster.pid');
}
