import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own notation: only to be compared. */
  readonly startedAt: string;
}

/** Who runs under this number now; null when nobody does. A zombie is nobody: it holds no file and no port. */
export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : ask(pid, 'lstart');
  return startedAt ? { pid, startedAt } : null;
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** The command line of a running process, arguments parted by spaces; '' when it cannot be read. */
export function commandOf(pid: number): string {
  if (process.platform !== 'linux') return ask(pid, 'command') ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Waits until the process is gone. False when it still runs after `timeoutMs`. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > until) return false;
    await sleep(20);
  }
  return true;
}

/** Sends a signal to a process that may be gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function startOnLinux(pid: number): string | null {
  try {
    // After the command name, which may itself hold spaces and brackets: state is the first field, start time the 20th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function ask(pid: number, field: 'lstart' | 'command'): string | null {
  const answer = spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' });
  return answer.status === 0 && answer.stdout.trim() !== '' ? answer.stdout.trim() : null;
}
