import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AppError, newId } from '#lib/kernel/index.ts';
import { type RunEventView, type SupervisorResult, tailRun } from '#lib/supervisor/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { multiplexedFrames, type RunSource } from './run-frames.ts';

const actor = { scope: { tenantId: newId('tenant'), userId: newId('user') } } as Actor;

/** Runs that have ended, each with a log of one page, and how many pages were read. */
function finishedRuns() {
  const counted = { pages: 0 };
  const source: RunSource = {
    getResult: async (_actor, runId) =>
      ({ sessionId: 'ses', preset: 'default', terminal: 'FINISH_OK', snapshot: { runId } }) as unknown as SupervisorResult,
    followRun: (reader, run) =>
      tailRun(
        {
          feed: { subscribe: () => () => undefined },
          reader: {
            events: async (_scope: unknown, runId: string, after: number) => {
              if (after > 0) return { items: [], lastSeq: 1, isEnded: true };
              counted.pages += 1;
              const event: RunEventView = { runId, seq: 1, type: 'STREAM_DONE', at: '2026-01-01T00:00:00.000Z', payload: {} };
              return { items: [event], lastSeq: 1, isEnded: true };
            },
          } as unknown as Parameters<typeof tailRun>[0]['reader'],
        },
        { scope: reader.scope, ...run },
      ),
  };
  return { counted, source };
}

async function framesOf(of: RunSource): Promise<string> {
  let text = '';
  const runs = [{ runId: newId('run'), after: 0 }];
  for await (const batch of multiplexedFrames(of, { actor, runs, signal: new AbortController().signal })) text += batch;
  return text;
}

describe('multiplexedFrames', () => {
  it('reads one page ahead of its consumer, however many runs it carries', async () => {
    const { counted, source } = finishedRuns();
    const runs = Array.from({ length: 50 }, () => ({ runId: newId('run'), after: 0 }));
    const frames = multiplexedFrames(source, { actor, runs, signal: new AbortController().signal });
    await frames.next();
    await sleep(20);
    expect(counted.pages).toBeLessThanOrEqual(2);
    let text = '';
    for await (const batch of frames) text += batch;
    expect(text.match(/event: done\n/g)).toHaveLength(50);
    expect(counted.pages).toBe(50);
  });

  it('lets go of all runs when its consumer leaves', async () => {
    const { counted, source } = finishedRuns();
    const runs = Array.from({ length: 5 }, () => ({ runId: newId('run'), after: 0 }));
    const abort = new AbortController();
    const frames = multiplexedFrames(source, { actor, runs, signal: abort.signal });
    await frames.next();
    abort.abort();
    await frames.return();
    const read = counted.pages;
    await sleep(20);
    expect(counted.pages).toBe(read);
  });

  it('says of a run that is not there that it is not, and of one that could not be read nothing: its reader comes again', async () => {
    const { source } = finishedRuns();
    const refusing = (code: 'not_found' | 'unavailable'): RunSource => ({
      ...source,
      // oxlint-disable-next-line require-yield -- refused before there is anything to yield
      async *followRun() {
        throw new AppError({ code, message: code });
      },
    });
    expect(await framesOf(refusing('not_found'))).toContain('event: not-found\n');
    await expect(framesOf(refusing('unavailable'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
