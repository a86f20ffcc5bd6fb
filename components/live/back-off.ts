const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** How long to wait before attempt `failures + 1`: doubling up to 15 s, spread so that many browsers do not return at once. */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(ceiling * (0.5 + random() / 2));
}
