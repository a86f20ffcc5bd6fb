import { test } from './fixtures.ts';
import type { ProvableId } from './verifies.ts';

/** A Playwright test that proves requirements: as `verifies` of vitest, with what the fixtures give. */
export function verifies(ids: ProvableId | readonly ProvableId[], title: string, proof: Parameters<typeof test>[2]): void {
  test(`[${[ids].flat().join(' ')}] ${title}`, proof);
}
