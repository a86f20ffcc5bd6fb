import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSegmentWaker } from './segment-waker.ts';

const aSegment = (key: string) => ({
  key,
  workflow: 'segment',
  sessionId: 's',
  input: null,
  serialization: null,
  priority: 0,
  attempts: 1,
});
const ended = { key: 'run:1', sessionId: 'session' };

function aQueue(given: { claims?: (readonly string[])[]; followed?: { key: string; isNoted: boolean }[][] } = {}) {
  const looks: string[] = [];
  const dispatched: string[] = [];
  const errors: unknown[] = [];
  const claims = given.claims ?? [];
  const followed = given.followed ?? [];
  const waker = createSegmentWaker({
    segments: {
      async claim() {
        looks.push('claim');
        const keys = claims.shift();
        return keys ? { segments: keys.map(aSegment), token: 't' } : null;
      },
      async findFollowed(driven) {
        looks.push(`followed by ${driven.map(({ key }) => key).join(' ')}`);
        const found = followed.shift();
        if (!found) throw new Error('away');
        return found;
      },
    },
    isStarted: () => true,
    budget: () => 2,
    dispatch: async ({ segments }) => void dispatched.push(...segments.map(({ key }) => key)),
    onError: (error) => errors.push(error),
  });
  return { waker, looks, dispatched, errors };
}

const settled = () => sleep(60);

describe('createSegmentWaker', () => {
  it('begins what it finds, and looks once more for all the calls that came meanwhile', async () => {
    const { waker, looks, dispatched } = aQueue({ claims: [['a']] });
    for (let call = 0; call < 5; call += 1) waker.wake();
    await settled();
    expect(dispatched).toEqual(['a']);
    expect(looks).toEqual(['claim', 'claim']);
  });

  it('does not look at the queue after an end that nothing waited for', async () => {
    const { waker, looks } = aQueue({ followed: [[]] });
    waker.noteEnd(ended);
    await settled();
    expect(looks).toEqual(['followed by run:1']);
  });

  it('asks again until the engine has noted the end, then begins what waited', async () => {
    const { waker, looks, dispatched } = aQueue({
      claims: [['next']],
      followed: [[{ key: 'run:1', isNoted: false }], [{ key: 'run:1', isNoted: true }]],
    });
    waker.noteEnd(ended);
    await settled();
    expect(looks).toEqual(['followed by run:1', 'followed by run:1', 'claim']);
    expect(dispatched).toEqual(['next']);
  });

  it('looks after an end when there were more to begin than places', async () => {
    const { waker, dispatched } = aQueue({ claims: [['a', 'b'], ['c']], followed: [[]] });
    waker.wake();
    await settled();
    waker.noteEnd(ended);
    await settled();
    expect(dispatched).toEqual(['a', 'b', 'c']);
  });

  it('reports a lost database and goes on at the next call', async () => {
    const { waker, errors, dispatched } = aQueue({ claims: [['a']] });
    waker.noteEnd(ended);
    await settled();
    expect(errors).toHaveLength(1);
    waker.wake();
    await settled();
    expect(dispatched).toEqual(['a']);
  });
});
