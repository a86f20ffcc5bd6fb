import { describe, expect, it } from 'vitest';
import { AppError, newId } from '#lib/kernel/index.ts';
import type { Boundary } from './domain/boundary.ts';
import type { RunJournal } from './ports.ts';
import { RunWriter } from './run-writer.ts';

const at = new Date(0);
const step = (to: string): Boundary => ({ events: [{ type: 'invocation-state', at, payload: { to } }] });
const said = (text: string): Boundary => ({ events: [{ type: 'text-delta', at, payload: { text } }] });

/** A writer over a journal that answers each write with the next of `answers`, and then with success. */
function lab(answers: (AppError | null)[] = []) {
  const written: string[] = [];
  const journal: Pick<RunJournal, 'write'> = {
    write: async (_key, boundary) => {
      await new Promise((resolve) => setImmediate(resolve));
      const error = answers.shift();
      if (error) throw error;
      written.push((boundary.events ?? []).map(({ payload }) => JSON.stringify(payload.to ?? payload.text).replaceAll('"', '')).join('+'));
    },
  };
  const key = { tenantId: newId('tenant'), sessionId: newId('session'), runId: newId('run'), epoch: 1 };
  return { written, writer: new RunWriter({ journal: journal as RunJournal, key, deferMs: 5 }) };
}

const refused = new AppError({ code: 'stale_epoch', message: 'stopped' });
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('RunWriter', () => {
  it('sends in order, and what is deferred with what follows or by itself', async () => {
    const { writer, written } = lab();
    writer.defer(step('a'));
    await writer.write(step('b'));
    writer.defer(step('c'));
    await later(30);
    expect(written).toEqual(['a+b', 'c']);
  });

  it('sends what is read live as soon as it is free, with what has gathered meanwhile', async () => {
    const { writer, written } = lab();
    writer.post(said('a'));
    writer.post(said('b'));
    writer.defer(step('c'));
    writer.post(said('d'));
    await later(4);
    expect(written).toEqual(['a+b+c+d']);
    const first = writer.write(step('e'));
    writer.post(said('f'));
    await first;
    await later(4);
    expect(written).toEqual(['a+b+c+d', 'e+f']);
  });

  it('tells of a live write that failed at the next one', async () => {
    const { writer, written } = lab([refused]);
    writer.post(said('a'));
    await later(4);
    await expect(writer.write(step('b'))).rejects.toBe(refused);
    expect(written).toEqual([]);
  });

  it('sends nothing that follows a refused boundary, at whatever moment it comes', async () => {
    for (let spins = 0; spins < 8; spins += 1) {
      const { writer, written } = lab([refused]);
      writer.defer(step('executing'));
      await later(5);
      for (let spin = 0; spin < spins; spin += 1) await Promise.resolve();
      await expect(writer.write(step('failed'))).rejects.toBe(refused);
      await expect(writer.write(step('next'))).rejects.toBe(refused);
      await later(15);
      expect(written).toEqual([]);
    }
  });

  it('keeps what was said for the end of a stopped run, and drops what was to begin', async () => {
    const { writer, written } = lab([refused]);
    writer.defer(said('first '));
    writer.defer(step('executing'));
    await later(150);
    writer.defer(said('second'));
    await expect(writer.write(step('succeeded'))).rejects.toBe(refused);
    writer.withdraw();
    await writer.write(step('end'));
    expect(written).toEqual(['first +second+end']);
  });

  it('forgets everything once the run belongs to another', async () => {
    const { writer, written } = lab([refused]);
    writer.defer(said('first '));
    await later(150);
    writer.abandon();
    await later(150);
    await writer.flush();
    expect(written).toEqual([]);
  });
});
