import type { z } from 'zod';
import type { UnitOfWork } from '#lib/kernel/index.ts';
import type { TenantView, updateTenantBody } from './contract.ts';
import { type Actor, auditedAs, requirePermission } from './domain/actor.ts';
import { toTenantView } from './get-me.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/** Renames the workspace, or sets the language of people who have chosen none. Its address stays: links carry it. */
export const updateTenant =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'tenants' | 'audit'>> }) =>
  async (actor: Actor, change: z.infer<typeof updateTenantBody>): Promise<TenantView> => {
    requirePermission(actor, 'tenant:update');
    const { tenantId } = actor.scope;
    return deps.unitOfWork.within(actor.scope, async ({ tenants, audit }) => {
      const before = requireFound(await tenants.find(tenantId));
      await tenants.update(tenantId, change);
      const after = requireFound(await tenants.find(tenantId));
      await audit.record({
        type: 'tenant.updated',
        actor: auditedAs(actor),
        target: { kind: 'tenant', id: tenantId, name: after.name },
        details: {
          from: { name: before.name, defaultLocale: before.defaultLocale },
          to: { name: after.name, defaultLocale: after.defaultLocale },
        },
      });
      return toTenantView(after);
    });
  };
