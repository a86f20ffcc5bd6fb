import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, waitUntilGone } from '../processes.ts';
import { startEmbeddedPostgres } from './index.ts';

let folder = '';
const directory = () => path.join(folder, 'pg');
const lockedPid = () => Number.parseInt(readFileSync(path.join(directory(), 'postmaster.pid'), 'utf8'), 10);

/** A process that owns a server and can be killed with it. */
async function startOwner(): Promise<{ owner: ChildProcess; url: string }> {
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(path.join(import.meta.dirname, 'index.ts'))});
    console.log((await startEmbeddedPostgres({ directory: ${JSON.stringify(directory())} })).url);
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(owner.stdout, 'data');
  return { owner, url: String(line).trim() };
}

async function ask(url: string, text: string): Promise<unknown> {
  const sql = postgres(url, { max: 1 });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-pg-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('startEmbeddedPostgres', () => {
  it('keeps what was written from one start to the next, behind a password only the owner reads', async () => {
    const first = await startEmbeddedPostgres({ directory: directory() });
    await ask(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await startEmbeddedPostgres({ directory: directory() });
    try {
      expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      expect(statSync(`${directory()}.password`).mode & 0o077).toBe(0);
      await expect(ask(second.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed');
    } finally {
      await second.stop();
    }
  });

  it('ends the server when its owner is killed', async () => {
    const { owner } = await startOwner();
    const server = identify(lockedPid());
    if (!server) throw new Error('the server is not there');
    owner.kill('SIGKILL');
    expect(await waitUntilGone(server, 10_000)).toBe(true);
  });

  it('starts again at once after everything was killed, with all that was committed', async () => {
    const { owner, url } = await startOwner();
    await ask(url, 'create table kept as select 42 as answer');
    process.kill(lockedPid(), 'SIGKILL');
    owner.kill('SIGKILL');
    const again = await startEmbeddedPostgres({ directory: directory() });
    try {
      expect(await ask(again.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    } finally {
      await again.stop();
    }
  });

  it('takes over from a server that was left running', async () => {
    const { owner } = await startOwner();
    const left = identify(lockedPid());
    if (!left) throw new Error('the server is not there');
    // The keeper, between owner and server, dies first: nobody is left to stop the server.
    const keeper = Number(
      readFileSync(`/proc/${left.pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
    process.kill(keeper, 'SIGKILL');
    owner.kill('SIGKILL');
    await sleep(100);
    expect(identify(left.pid)).toEqual(left);
    const again = await startEmbeddedPostgres({ directory: directory() });
    expect(identify(left.pid)).not.toEqual(left);
    await again.stop();
  });

  it('is not kept out by a lock whose number another process has now', async () => {
    const first = await startEmbeddedPostgres({ directory: directory() });
    await first.stop();
    writeFileSync(path.join(directory(), 'postmaster.pid'), `${process.pid}\n${directory()}\n0\n0\n\n127.0.0.1\n  0  0\nready   \n`);
    const again = await startEmbeddedPostgres({ directory: directory() });
    await again.stop();
  });

  it('says what the server said when it cannot start', async () => {
    await expect(startEmbeddedPostgres({ directory: directory(), settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      'invalid value for parameter "shared_buffers"',
    );
  });
});
