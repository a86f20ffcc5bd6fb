import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import type { RunEventView } from './contract.ts';
import type { RunEventEntry } from './domain/boundary.ts';
import type { RunEventBatch, RunReader } from './ports.ts';
import { tailRun } from './tail-run.ts';

const runId = newId('run');
const scope = { tenantId: newId('tenant') };

const entry = (type: RunEventEntry['type']): RunEventEntry => ({ type, at: new Date(0), payload: {} });

/** A log in memory; `write` tells readers what was written, as this process does, or only that there is something. */
function aLog() {
  const stored: RunEventView[] = [];
  const listeners = new Set<(batch: RunEventBatch | null) => void>();
  const tell = (batch: RunEventBatch | null) => {
    for (const listener of listeners) listener(batch);
  };
  let reads = 0;
  let duringNextRead: (() => void) | null = null;
  const reader: Pick<RunReader, 'events'> = {
    async events(_scope, _run, after, limit) {
      reads += 1;
      const isEnded = stored.some((event) => event.type === 'STREAM_DONE');
      const page = { items: stored.filter((event) => event.seq > after).slice(0, limit), lastSeq: stored.length, isEnded };
      duringNextRead?.();
      duringNextRead = null;
      return page;
    },
  };
  return {
    store(types: readonly RunEventEntry['type'][]) {
      for (const type of types) stored.push({ runId, seq: stored.length + 1, type, at: new Date(0).toISOString(), payload: {} });
    },
    write(types: readonly RunEventEntry['type'][], told: 'entries' | 'news' | 'nothing') {
      const firstSeq = stored.length + 1;
      this.store(types);
      if (told === 'entries') tell({ firstSeq, events: types.map(entry) });
      if (told === 'news') tell(null);
    },
    tail: (after = 0, signal = new AbortController().signal) =>
      tailRun(
        {
          reader: reader as RunReader,
          feed: {
            subscribe: (_run, listener) => {
              listeners.add(listener);
              return () => listeners.delete(listener);
            },
          },
        },
        { scope, runId, after, signal },
      ),
    reads: () => reads,
    /** Happens after the page was read and before the reader has it. */
    duringNextRead(happening: () => void) {
      duringNextRead = happening;
    },
    listeners,
  };
}

/** Reads on until the log ends; `seen` fills meanwhile. */
function follow(tail: ReturnType<typeof tailRun>) {
  const seen: number[] = [];
  const ended = (async () => {
    for await (const batch of tail) seen.push(...batch.map((event) => event.seq));
  })();
  return { seen, ended };
}

const numbers = (to: number, from = 1) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('tailRun', () => {
  it('gives what is stored, then what is written, and ends with the log', async () => {
    const log = aLog();
    log.store(['run-state', 'text-delta']);
    const { seen, ended } = follow(log.tail());
    await sleep(5);
    log.write(['text-delta'], 'entries');
    await sleep(5);
    log.write(['text-delta', 'STREAM_DONE'], 'news');
    await ended;
    expect(seen).toEqual(numbers(5));
    expect(log.listeners.size).toBe(0);
  });

  it('leaves no gap where another process wrote between two entries of this one', async () => {
    const log = aLog();
    const { seen, ended } = follow(log.tail());
    await sleep(5);
    log.write(['text-delta'], 'nothing');
    log.write(['text-delta'], 'entries');
    await sleep(5);
    expect(seen).toEqual([1, 2]);
    log.write(['STREAM_DONE'], 'entries');
    await ended;
    expect(seen).toEqual([1, 2, 3]);
  });

  it('reads again when there was news while it read', async () => {
    const log = aLog();
    log.store(['text-delta']);
    log.duringNextRead(() => log.write(['STREAM_DONE'], 'news'));
    const { seen, ended } = follow(log.tail());
    await Promise.race([ended, sleep(200)]);
    expect(seen).toEqual([1, 2]);
  });

  it('gives nothing twice, however often it is told', async () => {
    const log = aLog();
    const tail = log.tail(1);
    log.store(['run-state']);
    const { seen, ended } = follow(tail);
    await sleep(5);
    log.write(['text-delta'], 'entries');
    log.write([], 'news');
    log.write(['STREAM_DONE'], 'entries');
    log.write([], 'news');
    await ended;
    expect(seen).toEqual([2, 3]);
  });

  it('ends at once where nothing follows', async () => {
    const log = aLog();
    log.store(['run-state', 'STREAM_DONE']);
    const { seen, ended } = follow(log.tail(2));
    await ended;
    expect(seen).toEqual([]);
  });

  it('keeps little for a reader that is slow, and lets it read the rest', async () => {
    const log = aLog();
    const tail = log.tail();
    log.store(['run-state']);
    expect((await tail.next()).value).toHaveLength(1);
    for (let written = 0; written < 5_000; written += 1) log.write(['text-delta'], 'entries');
    log.write(['STREAM_DONE'], 'entries');
    const { seen, ended } = follow(tail);
    await ended;
    expect(seen).toEqual(numbers(5_002, 2));
    // 100 of the told entries were kept; the rest came from the log, in pages.
    expect(log.reads()).toBeGreaterThan(9);
  });

  it('ends when its signal fires, and forgets its reader when that goes away', async () => {
    const log = aLog();
    const controller = new AbortController();
    const { ended } = follow(log.tail(0, controller.signal));
    await sleep(5);
    controller.abort();
    await ended;
    log.store(['run-state']);
    for await (const batch of log.tail()) if (batch.length > 0) break;
    expect(log.listeners.size).toBe(0);
  });
});
