/** Chance that a seed repeats: a failed point can be run again as it was drawn. */
export interface Chance {
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True in `percent` of all draws. */
  happens(percent: number): boolean;
}

/** Mulberry32: 32 bits of state are enough to vary moments and messages. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    happens: (percent) => next() * 100 < percent,
  };
}

/** The seed of the n-th point: neighbours must not resemble each other. */
export function seedOfPoint(seed: number, index: number): number {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
}
