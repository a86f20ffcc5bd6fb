import { test } from 'vitest';
import type { KnownFaultId } from './known-faults.ts';
import type { RequirementId } from './requirements.ts';

export type ProvableId = RequirementId | KnownFaultId;

/**
 * A vitest test that proves requirements: its ids stand in its title, and e2e/coverage.test.ts finds them by reading the
 * source, so write them as literals. The browser's twin is in `verifies-in-browser.ts`.
 */
export function verifies(
  ids: ProvableId | readonly ProvableId[],
  title: string,
  proof: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  test(`[${[ids].flat().join(' ')}] ${title}`, proof, timeoutMs);
}
