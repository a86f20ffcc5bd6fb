import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOf, endOwned, spawnOwned } from '../owned-process.ts';

export interface WebServer {
  readonly pid: number;
  /** Settles with the exit code when the server has ended, wanted or not. */
  readonly ended: Promise<number>;
  stop(withinMs: number, hurry: AbortSignal): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const ORPHAN_GRACE_MS = 3_000;

/** Starts the built server and waits until it answers. Throws when it ends before, or never answers. */
export async function startWebServer(start: { root: string; host: string; port: number; env: NodeJS.Dict<string> }): Promise<WebServer> {
  const next = path.join(start.root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const child = spawnOwned([next, 'start', '-H', start.host, '-p', String(start.port)], {
    cwd: start.root,
    env: {
      ...start.env,
      NODE_ENV: 'production',
      HOST: start.host,
      PORT: String(start.port),
      // The server drains streams and steps itself; Next would end them at once.
      NEXT_MANUAL_SIG_HANDLE: 'true',
    },
    output: 'inherit',
    graceMs: ORPHAN_GRACE_MS,
  });
  const ended = endOf(child);
  await waitUntilReady(child, start.host, start.port);
  if (child.pid === undefined) throw new Error('the server has no process number');
  return { pid: child.pid, ended, stop: (withinMs, hurry) => endOwned(child, withinMs, hurry) };
}

async function waitUntilReady(child: ChildProcess, host: string, port: number): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('The server ended while it was starting: its messages stand above.');
    if (await isReady(host, port)) return;
    await sleep(50);
  }
  await endOwned(child, 1_000);
  throw new Error(`The server did not answer on ${host}:${port} within ${READY_WITHIN_MS / 1000} s.`);
}

async function isReady(host: string, port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://${reachable(host)}:${port}/api/healthz`, { signal: AbortSignal.timeout(5_000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** A host that this machine can be asked on, for one that means every interface. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
