import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findFreePort } from '../free-port.ts';
import { endOwned, spawnOwned } from '../owned-process.ts';

/** A server under measurement. */
export interface MeasuredProcess {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly probeUrl: string;
  stop(): Promise<void>;
}

export interface MeasuredProcessOptions {
  readonly name: string;
  readonly cwd: string;
  /** Script and arguments, given the port to listen on. */
  readonly args: (port: number) => string[];
  readonly env: (port: number) => NodeJS.Dict<string>;
  /** Answers once the server can be used. */
  readonly readyPath: string;
  readonly databasePort: number;
  /** Holds `NAME.log`, what the server said. */
  readonly folder: string;
}

const PROBE = pathToFileURL(path.join(import.meta.dirname, 'probe.mjs')).href;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 5_000;

/** Starts a server with the probe in it. Throws with the end of its log when it does not come up. */
export async function startMeasured(options: MeasuredProcessOptions): Promise<MeasuredProcess> {
  const port = await findFreePort();
  const probePort = await findFreePort();
  const logFile = path.join(options.folder, `${options.name.replaceAll(/\W+/g, '-')}.log`);
  const log = openSync(logFile, 'w');
  const child = spawnOwned(['--import', PROBE, ...options.args(port)], {
    cwd: options.cwd,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...options.env(port),
      PROBE_PORT: String(probePort),
      PROBE_DATABASE_PORT: String(options.databasePort),
    },
    output: log,
    graceMs: 0,
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  if (!(await isReady(child, `${url}${options.readyPath}`)) || child.pid === undefined) {
    await endOwned(child, 0);
    throw new Error(`${options.name} did not start:\n${readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-30).join('\n')}`);
  }
  return {
    name: options.name,
    pid: child.pid,
    url,
    probeUrl: `http://127.0.0.1:${probePort}`,
    stop: () => endOwned(child, STOP_WITHIN_MS),
  };
}

async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (answer?.ok) return true;
  }
  return false;
}
