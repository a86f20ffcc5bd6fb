import { test } from './fixtures.ts';
import type { ProvableId } from './verifies.ts';

/** Playwright tests that prove requirements: as `verifies` of vitest, with what the fixtures of `test` give. */
export function verifiesWith<Proof>(test: (title: string, proof: Proof) => void) {
  return (ids: ProvableId | readonly ProvableId[], title: string, proof: Proof): void => {
    test(`[${[ids].flat().join(' ')}] ${title}`, proof);
  };
}

export const verifies = verifiesWith<Parameters<typeof test>[2]>(test);
