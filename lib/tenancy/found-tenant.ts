import { type Id, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import { newBuiltInRoles } from './domain/built-in-roles.ts';
import type { BuiltInRole } from './domain/role.ts';
import type { TenancyStores, Tenant } from './ports.ts';

type Stores = Pick<TenancyStores, 'tenants' | 'users' | 'roles' | 'members' | 'audit'>;

/** Someone who is there from the start: an account that exists, or one to be made. */
export interface Founder {
  readonly role: BuiltInRole;
  readonly account:
    | { readonly userId: Id<'user'> }
    | { readonly email: string; readonly name: string; readonly passwordHash: string; readonly isOperator: boolean };
}

/**
 * Makes a tenant with its built-in roles and first people in one transaction. `before` runs first in it, to lock and to
 * check. Throws `slug_taken` and `email_taken`; then nothing is left behind.
 */
export async function foundTenant<Needed extends Stores>(
  deps: { unitOfWork: UnitOfWork<Needed> },
  tenant: {
    slug: string;
    name: string;
    isDemo: boolean;
    founders: readonly Founder[];
    actor?: { kind: 'user'; id: string } | { kind: 'system'; id: string };
  },
  before?: (stores: Needed) => Promise<void>,
): Promise<Pick<Tenant, 'id' | 'slug'>> {
  const id = newId('tenant');
  return deps.unitOfWork.within({ tenantId: id }, async (stores) => {
    await before?.(stores);
    const { tenants, users, roles, members, audit } = stores;
    await tenants.add({ id, slug: tenant.slug, name: tenant.name, isDemo: tenant.isDemo });
    const builtIn = newBuiltInRoles();
    for (const role of builtIn) await roles.add(role);
    const joined: { userId: Id<'user'>; role: BuiltInRole }[] = [];
    for (const { role, account } of tenant.founders) {
      const userId = 'userId' in account ? account.userId : newId('user');
      if (!('userId' in account)) await users.add({ id: userId, ...account });
      const roleId = builtIn.find((candidate) => candidate.key === role)?.id;
      if (!roleId) throw new Error(`no built-in role ${role}`);
      await members.add({ userId, roleId });
      joined.push({ userId, role });
    }
    const first = joined[0];
    const actor = tenant.actor ?? (first ? { kind: 'user' as const, id: first.userId } : undefined);
    await audit.record({
      type: 'tenant.created',
      ...(actor ? { actor } : {}),
      target: { kind: 'tenant', id, name: tenant.name },
      details: { slug: tenant.slug, members: joined },
    });
    return { id, slug: tenant.slug };
  });
}
