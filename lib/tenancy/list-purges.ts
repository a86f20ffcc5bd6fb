import type { PurgePage, PurgeView } from './contract.ts';
import type { Account } from './domain/account.ts';
import type { OperatorStore, Purge } from './ports.ts';

const SHOWN = 50;

/** The workspaces that a person has deleted, and how far the removal of what they held has come. */
export const listOwnPurges =
  (deps: { operatorStore: OperatorStore }) =>
  async (account: Account): Promise<PurgePage> => {
    const purges = await deps.operatorStore.listPurges({ requestedBy: account.userId, limit: SHOWN });
    return { items: purges.map(toPurgeView), nextCursor: null };
  };

export function toPurgeView(purge: Purge): PurgeView {
  const { tenantId, slug, name, totalRows, purgedRows } = purge;
  return {
    tenantId,
    slug,
    name,
    requestedAt: purge.requestedAt.toISOString(),
    totalRows,
    purgedRows,
    finishedAt: purge.finishedAt?.toISOString() ?? null,
  };
}
