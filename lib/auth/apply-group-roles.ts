import type { AuditEntry, AuditLog } from '#lib/audit/index.ts';
import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import type { ApiKeyStore, Member, MemberStore, PlatformUnitOfWork, RightsBell, TenantStore, User } from '#lib/tenancy/index.ts';
import { chooseGroupRole } from './domain/choose-group-role.ts';
import type { AuthStores, GroupRole, GroupRoleStore } from './ports.ts';

interface TenantSide {
  readonly tenants: TenantStore;
  readonly members: MemberStore;
  readonly apiKeys: ApiKeyStore;
  readonly groupRoles: GroupRoleStore;
  readonly rights: RightsBell;
  readonly audit: AuditLog;
}

export interface ApplyDependencies {
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork<TenantSide>;
  readonly platformUnitOfWork: PlatformUnitOfWork<AuthStores>;
}

/**
 * Brings the memberships that come from groups up to date: adds, changes and ends them, and leaves those that somebody gave
 * as they are. A tenant's last owner stays, on the record. A lock-out stays too.
 */
export async function applyGroupRoles(deps: ApplyDependencies, { user, groups }: { user: User; groups: readonly string[] }): Promise<void> {
  const tenantIds = await deps.platformUnitOfWork.within({ userId: user.id }, async ({ tenants, claimedGroups }) => [
    ...new Set([...(await tenants.listIdsByGroupOf(user.id)), ...(await claimedGroups.listTenantIds(groups))]),
  ]);
  for (const tenantId of tenantIds) {
    await deps.unitOfWork.within({ tenantId }, async (stores) => {
      await stores.tenants.lockRights(tenantId);
      await applyInTenant(stores, { tenantId, user, groups, now: deps.clock.now() });
    });
  }
}

async function applyInTenant(
  stores: TenantSide,
  { tenantId, user, groups, now }: { tenantId: Id<'tenant'>; user: User; groups: readonly string[]; now: Date },
): Promise<void> {
  const { members, apiKeys, groupRoles, rights, audit } = stores;
  const member = await members.find(user.id);
  const fitting = chooseGroupRole(await groupRoles.list(), groups);
  const record = (type: AuditEntry['type'], details: NonNullable<AuditEntry['details']>) =>
    audit.record({ type, actor: { kind: 'system', id: 'sign-in' }, target: { kind: 'user', id: user.id, name: user.email }, details });
  if (!member) {
    if (!fitting) return;
    await members.add({ userId: user.id, roleId: fitting.role.id, isFromGroup: true });
    return record('member.added', { role: fitting.role.key, group: fitting.group });
  }
  if (!member.isFromGroup || member.role.id === fitting?.role.id) return;
  if (await isLastOwner(members, member)) return record('member.kept', { role: member.role.key, reason: 'last-owner', ...wanted(fitting) });
  if (fitting) {
    await members.update(user.id, { roleId: fitting.role.id, isFromGroup: true });
    await rights.ring({ tenantId, userId: user.id });
    return record('member.changed', { role: { from: member.role.key, to: fitting.role.key }, group: fitting.group });
  }
  await apiKeys.revokeAllOf(user.id, now);
  await members.remove(user.id);
  await rights.ring({ tenantId, userId: user.id });
  return record('member.removed', { role: member.role.key, group: null });
}

async function isLastOwner(members: MemberStore, member: Member): Promise<boolean> {
  return member.role.key === 'owner' && (await members.countOtherOwners(member.userId)) === 0;
}

function wanted(fitting: GroupRole | null) {
  return { wanted: fitting ? fitting.role.key : null };
}
