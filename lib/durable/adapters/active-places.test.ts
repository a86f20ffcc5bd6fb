import { describe, expect, it } from 'vitest';
import { createActivePlaces } from './active-places.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function gate(limit: () => number) {
  const places = createActivePlaces(limit);
  const inside: { name: string; leave: () => void }[] = [];
  const come = (name: string) => void places.enter().then((place) => inside.push({ name, leave: () => place[Symbol.dispose]() }));
  return { places, inside, come, names: () => inside.map(({ name }) => name) };
}

describe('createActivePlaces', () => {
  it('lets no more in than there are places, and the others in their order', async () => {
    const { places, inside, come, names } = gate(() => 2);
    for (const name of ['a', 'b', 'c', 'd']) come(name);
    await settled();
    expect(names()).toEqual(['a', 'b']);
    inside[0]?.leave();
    await settled();
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(places.count()).toBe(2);
  });

  it('keeps whoever comes while others wait behind them', async () => {
    let limit = 1;
    const { places, come, names } = gate(() => limit);
    come('a');
    come('b');
    limit = 2;
    come('c');
    await settled();
    expect(names()).toEqual(['a']);
    places.look();
    await settled();
    expect(names()).toEqual(['a', 'b']);
  });

  it('takes a limit that is not known yet for none', async () => {
    const { come, names } = gate(() => 0);
    come('a');
    come('b');
    await settled();
    expect(names()).toEqual(['a', 'b']);
  });
});
