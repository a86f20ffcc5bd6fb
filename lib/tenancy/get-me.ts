import { AppError, type UnitOfWork } from '#lib/kernel/index.ts';
import type { MeView, TenantView } from './contract.ts';
import { type Actor, hasPermission } from './domain/actor.ts';
import type { TenancyStores, Tenant } from './ports.ts';

export function toTenantView({ id, slug, name, isDemo, defaultLocale, createdAt }: Tenant): TenantView {
  return { id, slug, name, isDemo, defaultLocale, createdAt: createdAt.toISOString() };
}

/** The person in this tenant, what they may do here, and their other tenants. An API key learns of no other tenant. */
export const getMe =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'tenants' | 'users' | 'accessRequests'>> }) =>
  async (actor: Actor): Promise<MeView> =>
    deps.unitOfWork.within(actor.scope, async ({ tenants, users, accessRequests }) => {
      const tenant = await tenants.find(actor.scope.tenantId);
      if (!tenant) throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
      const user = await users.find(actor.scope.userId);
      const mine = actor.kind === 'user' ? await tenants.listOfUser(actor.scope.userId) : [tenant];
      return {
        user: {
          id: actor.scope.userId,
          email: actor.email,
          name: actor.displayName,
          locale: actor.locale,
          timeZone: user?.timeZone ?? null,
          isOperator: actor.kind === 'user' && user?.isOperator === true,
        },
        tenant: toTenantView(tenant),
        role: { key: actor.roleKey, name: actor.roleName },
        permissions: [...actor.permissions].sort(),
        ownRole: actor.ownRole ?? null,
        openAccessRequests: hasPermission(actor, 'member:manage') ? await accessRequests.countOpen() : 0,
        tenants: mine.map(({ slug, name }) => ({ slug, name })),
      };
    });
