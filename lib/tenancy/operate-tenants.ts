import type { z } from 'zod';
import { AppError, type Clock, type Id, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { createTenantBody, createTenantResult, OperatedTenantPage } from './contract.ts';
import { invitationUrl } from './create-invitation.ts';
import type { Account } from './domain/account.ts';
import { DEMO_SLUG } from './domain/demo.ts';
import { requireOperator } from './domain/operator.ts';
import { isReservedSlug } from './domain/reserved-slug.ts';
import { foundTenant } from './found-tenant.ts';
import { toPurgeView } from './list-purges.ts';
import type { InvitationMint, OperatorStore, PurgeStore, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

const PURGES_SHOWN = 20;
const FOUNDING_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Every workspace with its counts, and the latest deletions. Nothing of what they hold. Throws `permission_denied`. */
export const listOperatedTenants =
  (deps: { operatorStore: OperatorStore }) =>
  async (account: Account): Promise<OperatedTenantPage> => {
    requireOperator(account);
    const [tenants, purges] = await Promise.all([deps.operatorStore.listTenants(), deps.operatorStore.listPurges({ limit: PURGES_SHOWN })]);
    return {
      items: tenants.map(({ createdAt, suspendedAt, lastRunAt, ...tenant }) => ({
        ...tenant,
        createdAt: createdAt.toISOString(),
        suspendedAt: suspendedAt?.toISOString() ?? null,
        lastRunAt: lastRunAt?.toISOString() ?? null,
      })),
      purges: purges.map(toPurgeView),
      nextCursor: null,
    };
  };

/**
 * Makes a workspace for somebody else and a link by which its first owner comes in: the operator knows no password of
 * theirs. Throws `permission_denied`, `slug_taken`.
 */
export const createTenant =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<TenancyStores>; invitationMint: InvitationMint; publicOrigin: string }) =>
  async (account: Account, request: z.infer<typeof createTenantBody>): Promise<z.infer<typeof createTenantResult>> => {
    requireOperator(account);
    if (isReservedSlug(request.slug) || request.slug === DEMO_SLUG)
      throw new AppError({ code: 'slug_taken', message: `The address ${request.slug} is reserved. Choose another.` });
    const actor = { kind: 'user', id: account.userId } as const;
    const { id, slug } = await foundTenant(deps, { ...request, isDemo: false, founders: [], actor });
    const { token, hash } = deps.invitationMint.mint();
    const expiresAt = new Date(deps.clock.now().getTime() + FOUNDING_DAYS * DAY_MS);
    await deps.unitOfWork.within({ tenantId: id, userId: account.userId }, async ({ roles, invitations, audit }) => {
      const owner = requireFound(await roles.findByKey('owner'));
      const invitationId = newId('invitation');
      await invitations.add({ id: invitationId, hash, roleId: owner.id, note: '', invitedBy: account.userId, expiresAt });
      await audit.record({
        type: 'invitation.created',
        actor,
        target: { kind: 'invitation', id: invitationId },
        details: { role: owner.key, expiresAt: expiresAt.toISOString() },
      });
    });
    return { id, slug, url: invitationUrl(deps.publicOrigin, token) };
  };

/**
 * Shuts a workspace or lets it go on. While it is suspended its members are told so and can do nothing, no run starts, and
 * those that were going on have been stopped. Throws `permission_denied`, `not_found`.
 */
export const suspendTenant =
  (deps: {
    clock: Clock;
    unitOfWork: UnitOfWork<Pick<TenancyStores, 'tenants' | 'rights' | 'audit' | 'platformAudit'>>;
    stopRuns: PurgeStore['stopRuns'];
  }) =>
  async (account: Account, { tenantId, suspended }: { tenantId: Id<'tenant'>; suspended: boolean }): Promise<void> => {
    requireOperator(account);
    const { userId } = account;
    const changed = await deps.unitOfWork.within({ tenantId, userId }, async ({ tenants, rights, audit, platformAudit }) => {
      await tenants.lockRights(tenantId);
      const tenant = requireFound(await tenants.find(tenantId));
      if ((tenant.suspendedAt !== null) === suspended) return false;
      await tenants.suspend(tenantId, suspended ? deps.clock.now() : null);
      await rights.ring({ tenantId, userId: null });
      const entry = {
        type: suspended ? ('tenant.suspended' as const) : ('tenant.resumed' as const),
        actor: { kind: 'user' as const, id: userId },
        target: { kind: 'tenant', id: tenantId, name: tenant.name },
        details: { from: { suspended: !suspended }, to: { suspended } },
      };
      // On both records: the tenant's auditors see it as well as the platform's.
      await audit.record(entry);
      await platformAudit.record(entry);
      return true;
    });
    if (changed && suspended) await deps.stopRuns(tenantId, userId);
  };
