import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, requirePermission } from './domain/actor.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/** Ends a key at once and for good; its row stays for the record. A second time changes nothing. */
export const revokeApiKey =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Pick<TenancyStores, 'apiKeys' | 'rights' | 'audit'>> }) =>
  async (actor: Actor, id: Id<'apiKey'>): Promise<void> => {
    requirePermission(actor, 'api-key:manage');
    await deps.unitOfWork.within(actor.scope, async ({ apiKeys, rights, audit }) => {
      const key = requireFound(await apiKeys.find(id));
      if (key.revokedAt) return;
      await apiKeys.revoke(id, deps.clock.now());
      await rights.ring({ tenantId: actor.scope.tenantId, userId: key.createdBy.userId });
      await audit.record({ type: 'api-key.revoked', actor: auditedAs(actor), target: { kind: 'api-key', id, name: key.name } });
    });
  };
