import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { type Actor, PERMISSIONS, type Permission } from '#lib/tenancy/index.ts';
import { eventStream } from './event-stream.ts';
import { streamWhileAllowed } from './stream-route.ts';

/** Frames without end; `asked` counts how many were made. */
function endless(signal?: AbortSignal) {
  const made = { asked: 0, isReturned: false };
  async function* frames() {
    try {
      while (!signal?.aborted) {
        made.asked += 1;
        yield `data: ${made.asked}\n\n`;
        await sleep(1);
      }
    } finally {
      made.isReturned = true;
    }
  }
  return { made, frames: frames() };
}

async function* silence(signal: AbortSignal) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield* [];
}

const readerOf = (response: Response) => {
  if (!response.body) throw new Error('no body');
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
};

describe('eventStream', () => {
  it('tells everything on its way not to hold it back, change it or keep it', () => {
    const { headers } = eventStream({ frames: endless().frames, heartbeatMs: 1_000, onClose: new AbortController() });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
  });

  it('makes no more frames than are taken', async () => {
    const { made, frames } = endless();
    const response = eventStream({ frames, heartbeatMs: 1_000, onClose: new AbortController() });
    await sleep(50);
    expect(made.asked).toBeLessThanOrEqual(1);
    const reader = readerOf(response);
    for (let taken = 0; taken < 5; taken += 1) await reader.read();
    await sleep(50);
    expect(made.asked).toBeLessThanOrEqual(8);
    await reader.cancel();
  });

  it('gives signs of life while nothing happens, and loses nothing by them', async () => {
    async function* slow() {
      await sleep(60);
      yield 'data: late\n\n';
    }
    let text = '';
    for await (const chunk of readable(eventStream({ frames: slow(), heartbeatMs: 20, onClose: new AbortController() }))) text += chunk;
    expect(text.match(/: heartbeat/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text.match(/data: late/g)).toHaveLength(1);
  });

  it('lets go of everything when its reader goes away', async () => {
    const { made, frames } = endless();
    const onClose = new AbortController();
    let cleanedUp = 0;
    const reader = readerOf(eventStream({ frames, heartbeatMs: 1_000, onClose, cleanUp: () => (cleanedUp += 1) }));
    await reader.read();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => made.isReturned).toBe(true);
    expect({ isAborted: onClose.signal.aborted, cleanedUp }).toEqual({ isAborted: true, cleanedUp: 1 });
  });
});

describe('streamWhileAllowed', () => {
  function actor(permissions: readonly Permission[]): Actor {
    const about = { displayName: '', email: '', roleKey: 'x', roleName: 'X', locale: null, timeZone: 'UTC' };
    return { kind: 'user', scope: { tenantId: newId('tenant'), userId: newId('user') }, permissions: new Set(permissions), ...about };
  }

  /** A silent stream, of a reader whose rights turn out to be `now` when they are read again. */
  function open(now: () => Promise<Actor>) {
    let ring: () => void = () => undefined;
    let listening = 0;
    const response = streamWhileAllowed(
      { actor: actor(PERMISSIONS), request: new Request('http://localhost/'), reauthorize: now },
      {
        heartbeatMs: 10_000,
        onRightsChange: (_actor, listener) => {
          ring = listener;
          listening += 1;
          return () => {
            listening -= 1;
          };
        },
      },
      silence,
    );
    const ended = Array.fromAsync(readable(response)).then(() => 'ended');
    return { ring: () => ring(), ended, isEnded: () => Promise.race([ended, sleep(100, 'open')]), listening: () => listening };
  }

  it('ends when a right that the stream began with is gone, or all are', async () => {
    for (const now of [async () => actor(['run:read']), () => Promise.reject(new Error('not a member any more'))]) {
      const stream = open(now);
      expect(await stream.isEnded()).toBe('open');
      stream.ring();
      expect(await stream.isEnded()).toBe('ended');
      expect(stream.listening()).toBe(0);
    }
  });

  it('goes on when the change took nothing away', async () => {
    let left = false;
    const stream = open(async () => actor(left ? [] : PERMISSIONS));
    stream.ring();
    expect(await stream.isEnded()).toBe('open');
    left = true;
    stream.ring();
    expect(await stream.ended).toBe('ended');
  });
});

async function* readable(response: Response): AsyncGenerator<string> {
  const reader = readerOf(response);
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
