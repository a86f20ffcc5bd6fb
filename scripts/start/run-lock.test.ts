import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, isAlive, type ProcessIdentity } from '../processes.ts';
import { takeRunLock } from './run-lock.ts';

const GONE: ProcessIdentity = { pid: process.pid, startedAt: 'long before' };

let folder = '';
const file = () => path.join(folder, 'run.json');
const take = (said: string[] = []) => takeRunLock(folder, (line) => said.push(line));

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('takeRunLock', () => {
  it('is taken once, and the second start learns where the first one runs', async () => {
    const first = await take();
    if (!first.taken) throw new Error('a fresh folder was taken');
    first.lock.update({ state: 'running', url: 'http://127.0.0.1:3000' });
    expect(await take()).toMatchObject({ taken: false, holder: { state: 'running', url: 'http://127.0.0.1:3000' } });
    first.lock.release();
    expect(await take()).toMatchObject({ taken: true });
  });

  it('goes to one of many that start at the same moment', async () => {
    const starts = await Promise.all(Array.from({ length: 20 }, () => take()));
    expect(starts.filter(({ taken }) => taken)).toHaveLength(1);
  });

  it('is free again when its process is gone, even if another now has its number', async () => {
    writeFileSync(file(), JSON.stringify({ starter: GONE, startedBy: [], state: 'running' }));
    expect(await take()).toMatchObject({ taken: true });
    expect(JSON.parse(readFileSync(file(), 'utf8')).starter).toEqual(identify(process.pid));
  });

  it('is free again when its record was cut off', async () => {
    writeFileSync(file(), '{"starter":');
    expect(await take()).toMatchObject({ taken: true });
  });

  it('waits for a starter whose own starter was killed', async () => {
    const starter = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 400)']);
    const identity = identify(starter.pid ?? 0);
    writeFileSync(file(), JSON.stringify({ starter: identity, startedBy: [GONE], state: 'running' }));
    const said: string[] = [];
    expect(await take(said)).toMatchObject({ taken: true });
    expect(said).toEqual(['The run before is still stopping: waiting for it']);
  });

  it('ends the server that a killed start left behind', async () => {
    const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = identify(server.pid ?? 0);
    if (!identity) throw new Error('the stand-in server did not start');
    writeFileSync(file(), JSON.stringify({ starter: GONE, startedBy: [], state: 'running', server: identity }));
    expect(await take()).toMatchObject({ taken: true });
    expect(isAlive(identity)).toBe(false);
  }, 15_000);

  it('leaves nothing behind when released', async () => {
    const taken = await take();
    if (taken.taken) taken.lock.release();
    expect(existsSync(file())).toBe(false);
  });
});
