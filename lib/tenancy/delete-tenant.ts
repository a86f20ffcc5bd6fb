import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Account } from './domain/account.ts';
import { type Actor, auditedAs, requirePermission } from './domain/actor.ts';
import { requireOperator } from './domain/operator.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork<Pick<TenancyStores, 'tenants' | 'rights' | 'platformAudit'>>;
}

/**
 * Closes a workspace for good: from the commit on its address leads nowhere, its keys serve nothing and its streams close.
 * What it holds is removed in the background (`purgeTenants`). `confirm` is its address, typed. Throws `invalid_request`.
 */
export const deleteTenant =
  (deps: Dependencies) =>
  async (actor: Actor, { confirm }: { confirm: string }): Promise<void> => {
    requirePermission(actor, 'tenant:delete');
    await close(deps, { tenantId: actor.scope.tenantId, by: actor.scope.userId, actor: auditedAs(actor), confirm });
  };

/** The same by an operator, who need not be a member. */
export const deleteTenantAsOperator =
  (deps: Dependencies) =>
  async (account: Account, { tenantId, confirm }: { tenantId: Id<'tenant'>; confirm: string }): Promise<void> => {
    requireOperator(account);
    await close(deps, { tenantId, by: account.userId, actor: { kind: 'user', id: account.userId }, confirm });
  };

async function close(
  deps: Dependencies,
  request: { tenantId: Id<'tenant'>; by: Id<'user'>; actor: ReturnType<typeof auditedAs>; confirm: string },
): Promise<void> {
  const { tenantId, by, actor, confirm } = request;
  await deps.unitOfWork.within({ tenantId, userId: by }, async ({ tenants, rights, platformAudit }) => {
    await tenants.lockRights(tenantId);
    const tenant = requireFound(await tenants.find(tenantId));
    if (confirm.trim() !== tenant.slug)
      throw new AppError({
        code: 'invalid_request',
        message: `Type the address of the workspace, ${tenant.slug}, to delete it.`,
        details: { path: 'confirm' },
      });
    await tenants.close(tenant, { userId: by, at: deps.clock.now() });
    await rights.ring({ tenantId, userId: null });
    // The tenant's own record goes with it: this one stays.
    await platformAudit.record({
      type: 'tenant.deleted',
      actor,
      target: { kind: 'tenant', id: tenantId, name: tenant.name },
      details: { slug: tenant.slug, createdAt: tenant.createdAt.toISOString() },
    });
  });
}
