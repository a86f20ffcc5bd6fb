import type { Id } from '#lib/kernel/index.ts';
import type { AuthStores } from './ports.ts';

/**
 * Whether an account is more than a member of this tenant: an operator, or a member elsewhere, locked out there or not. Its
 * password is then no tenant admin's to set. The stores must be bound to the person's own scope.
 */
export async function reachesBeyond(
  { users, tenants }: Pick<AuthStores, 'users' | 'tenants'>,
  { userId, tenantId }: { userId: Id<'user'>; tenantId: Id<'tenant'> },
): Promise<boolean> {
  if (await users.isOperator(userId)) return true;
  return (await tenants.listIdsOfUser(userId)).some((id) => id !== tenantId);
}
