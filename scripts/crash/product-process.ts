import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPortFrom } from '../free-port.ts';
import { endOf, spawnOwned } from '../owned-process.ts';
import { signal } from '../processes.ts';

/** `next` is the product as `npm start` runs it; `worker` the same application behind a plain HTTP server (worker.ts). */
export type ServerKind = 'worker' | 'next';

export interface ProductProcess {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly address: string;
  /** Settles when it has ended, whoever ended it. */
  readonly ended: Promise<number>;
  hasEnded(): boolean;
  send(name: NodeJS.Signals): void;
  /** SIGKILL, and waits until it is gone. Harmless when it has ended. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly kind: ServerKind;
  readonly name: string;
  readonly databaseUrl: string;
  readonly effectsUrl: string;
  /** Where its model is; absent: it has none. */
  readonly modelUrl?: string;
  /** Its name, which tells how much it can hold. */
  readonly modelName?: string;
  readonly logFile: string;
  readonly port?: number;
  /** `name:n`: it kills itself at the n-th pass of this point. */
  readonly faultPoint?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const NEXT = path.join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next');
const WORKER = path.join(import.meta.dirname, 'worker.ts');
const READY_WITHIN_MS = 60_000;

/**
 * Starts one server process and waits until it answers. Ends with this process, even by SIGKILL. Resolves as well when it
 * ended before it was ready, for it may be armed to.
 */
export async function startProductProcess(options: StartOptions): Promise<ProductProcess> {
  const port = options.port ?? (await takePort());
  const args = options.kind === 'next' ? [NEXT, 'start', '-H', '127.0.0.1', '-p', String(port)] : [WORKER];
  const log = openSync(options.logFile, 'a');
  const child = spawnOwned(args, { cwd: ROOT, env: { ...environment(options, port), ...options.env }, output: log, graceMs: 0 });
  closeSync(log);
  if (child.pid === undefined) throw new Error(`${options.name} has no process number`);
  const { pid } = child;
  const ended = endOf(child);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await untilReady(child, { port, logFile: options.logFile, mayEnd: options.faultPoint !== undefined });
  return {
    name: options.name,
    pid,
    port,
    address: `http://127.0.0.1:${port}`,
    ended,
    hasEnded,
    send: (name) => signal(pid, name),
    kill: async () => {
      // The whole group: Next may have started processes of its own.
      if (!hasEnded()) signal(-pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Below what systems hand out for outgoing connections, so that nobody else takes it before the process listens, or between its lives. */
let nextPort = 20_000 + (process.pid % 1_000) * 10;

async function takePort(): Promise<number> {
  const from = nextPort;
  nextPort += 1;
  const port = await findPortFrom('127.0.0.1', from);
  nextPort = Math.max(nextPort, port + 1);
  return port;
}

function environment(options: StartOptions, port: number): NodeJS.Dict<string> {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_MANUAL_SIG_HANDLE: 'true',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: options.databaseUrl,
    DATABASE_POOL_SIZE: '10',
    BAILIWICK_SECRET: 'crash-points-'.repeat(3),
    DEMO: '0',
    REQUESTS_PER_USER: '0',
    REQUESTS_PER_KEY: '0',
    REQUESTS_PER_TENANT: '0',
    TEST_EFFECTS_URL: options.effectsUrl,
    ...(options.modelUrl !== undefined && {
      COMPATIBLE_BASE_URL: options.modelUrl,
      COMPATIBLE_MODEL: options.modelName ?? 'scripted',
      OUTBOUND_ALLOW: '127.0.0.1',
    }),
    ...(options.faultPoint !== undefined && { FAULT_POINT: options.faultPoint }),
  };
}

async function untilReady(child: ChildProcess, options: { port: number; logFile: string; mayEnd: boolean }): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null) {
      if (options.mayEnd) return;
      throw new Error(`a server ended while it was starting; its words: ${options.logFile}`);
    }
    if ((await answers(options.port)) && child.exitCode === null) return;
    await sleep(25);
  }
  throw new Error(`a server did not answer within ${READY_WITHIN_MS / 1000} s; its words: ${options.logFile}`);
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
