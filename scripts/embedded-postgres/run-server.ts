import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.ts';
import { isReady } from './leftover.ts';
import { asAccount, type ServerAccount } from './server-account.ts';

export interface RunningServer {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const KEEPER = path.join(import.meta.dirname, 'keeper.ts');
const LOG_LIMIT_BYTES = 10_000_000;

/**
 * Starts one server and waits until it takes connections, or gives what it said before it ended. Between this process and
 * the server stands a keeper: it stops the server when this process is gone.
 */
export async function runServer(start: {
  directory: string;
  binaries: PostgresBinaries;
  account: ServerAccount;
  settings: Readonly<Record<string, string>>;
}): Promise<{ ok: true; server: RunningServer } | { ok: false; log: string }> {
  const logFile = `${start.directory}.log`;
  const offset = rotate(logFile);
  const settings = Object.entries(start.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, args, options] = asAccount(start.account, start.binaries.postgres, ['-D', start.directory, ...settings]);
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify({ command, args, options, logFile })], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let hasEnded = false;
  let serverPid = 0;
  keeper.once('message', (message) => {
    if (typeof message === 'object' && 'serverPid' in message) serverPid = Number(message.serverPid);
  });
  const ended = new Promise<void>((resolve) => {
    keeper.once('exit', () => {
      hasEnded = true;
      resolve();
    });
    keeper.once('error', () => resolve());
  });
  const stop = async () => {
    if (keeper.connected) keeper.disconnect();
    await ended;
  };
  while (!hasEnded) {
    if (serverPid > 0 && isReady(start.directory, serverPid)) return { ok: true, server: { ended, stop } };
    await sleep(10);
  }
  return { ok: false, log: readFrom(logFile, offset) };
}

/** Keeps the log from growing for ever; gives the length it has before this start. */
function rotate(logFile: string): number {
  if (!existsSync(logFile)) return 0;
  const { size } = statSync(logFile);
  if (size < LOG_LIMIT_BYTES) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

function readFrom(file: string, offset: number): string {
  const length = statSync(file).size - offset;
  const buffer = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, buffer, 0, length, offset);
  } finally {
    closeSync(descriptor);
  }
  return buffer.toString('utf8');
}
