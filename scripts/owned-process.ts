import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'exit-with-parent.mjs')).href;

/**
 * Runs a Node program that ends when this process ends, even by SIGKILL: its standard input closes, it gets SIGTERM and,
 * after `graceMs`, SIGKILL together with all it started.
 *
 * @param output `inherit`, or a file descriptor that takes both outputs
 */
export function spawnOwned(
  args: string[],
  options: { cwd: string; env: NodeJS.Dict<string>; output: 'inherit' | 'pipe' | number; graceMs: number },
): ChildProcess {
  const env: NodeJS.Dict<string> = {
    ...options.env,
    EXIT_WITH_PARENT: String(process.pid),
    EXIT_WITH_PARENT_GRACE_MS: String(options.graceMs),
  };
  return spawn(process.execPath, ['--import', PRELOAD, ...args], {
    cwd: options.cwd,
    // Next declares NODE_ENV as always there; a child may well be started without.
    env: env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['pipe', options.output, options.output],
  });
}

/** How a process ended: its exit code, or 128 and more when a signal ended it. Rejects when it never started. */
export function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? 128);
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 128));
  });
}

/** Asks a process to end and, when it has not within `withinMs` or `hurry` fires, ends it together with all it started. */
export async function endOwned(child: ChildProcess, withinMs: number, hurry?: AbortSignal): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const { pid } = child;
  const ended = endOf(child);
  child.kill('SIGTERM');
  const kill = () => process.kill(-pid, 'SIGKILL');
  const timer = setTimeout(kill, withinMs);
  if (hurry?.aborted) kill();
  hurry?.addEventListener('abort', kill);
  await ended;
  clearTimeout(timer);
  hurry?.removeEventListener('abort', kill);
}
