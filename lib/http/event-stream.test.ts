import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventStream } from './event-stream.ts';

const HEARTBEAT_MS = 40;

/** Frames without end, and how many were asked for. */
function countedFrames() {
  const counted = { taken: 0, returned: false };
  const frames = (async function* () {
    try {
      for (;;) {
        counted.taken += 1;
        yield `data: ${counted.taken}\n\n`;
      }
    } finally {
      counted.returned = true;
    }
  })();
  return { counted, frames };
}

describe('eventStream', () => {
  it('tells everything on its way not to hold it back, change it or keep it', () => {
    const { headers } = eventStream({ frames: countedFrames().frames, heartbeatMs: HEARTBEAT_MS, onClose: new AbortController() });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
  });

  it('asks for no more frames than its reader takes', async () => {
    const { counted, frames } = countedFrames();
    const reader = eventStream({ frames, heartbeatMs: HEARTBEAT_MS, onClose: new AbortController() }).body?.getReader();
    await reader?.read();
    await sleep(50);
    expect(counted.taken).toBeLessThanOrEqual(2);
    await reader?.read();
    await sleep(50);
    expect(counted.taken).toBeLessThanOrEqual(3);
  });

  it('ends its frames and cleans up when its reader goes away', async () => {
    const { counted, frames } = countedFrames();
    const onClose = new AbortController();
    let cleaned = 0;
    const response = eventStream({ frames, heartbeatMs: HEARTBEAT_MS, onClose, cleanUp: () => (cleaned += 1) });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    expect([onClose.signal.aborted, counted.returned, cleaned]).toEqual([true, true, 1]);
  });

  it('cleans up when its frames fail, and tells the reader', async () => {
    const onClose = new AbortController();
    let cleaned = 0;
    const frames = (async function* (): AsyncGenerator<string, void> {
      yield 'data: 1\n\n';
      throw new Error('the database is away');
    })();
    const response = eventStream({ frames, heartbeatMs: HEARTBEAT_MS, onClose, cleanUp: () => (cleaned += 1) });
    await expect(response.text()).rejects.toThrow('the database is away');
    expect([onClose.signal.aborted, cleaned]).toEqual([true, 1]);
  });

  it('fills a proxy’s buffer after every frame where it is asked to', async () => {
    const frames = (async function* () {
      yield 'data: 1\n\n';
      await sleep(HEARTBEAT_MS * 1.5);
    })();
    const text = await eventStream({ frames, heartbeatMs: HEARTBEAT_MS, isPadded: true, onClose: new AbortController() }).text();
    expect(text.split(/:? {4000,}\n\n/).map((part) => part.trim())).toEqual([': open', 'data: 1', ': heartbeat', '']);
  });
});
