import type { z } from 'zod';
import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { changeMemberBody, MemberView } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toMemberView } from './list-members.ts';
import type { Member, MemberStore, Role, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

type Stores = Pick<TenancyStores, 'accessRequests' | 'members' | 'roles' | 'tenants' | 'rights' | 'audit'>;

/**
 * Gives a member another role, or shuts them out for a time. It holds from the person's next request on, and their open
 * streams are closed. What they have asked for and now have is granted with it. Throws `rights_exceeded` and `last_owner`.
 */
export const changeMember =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Stores> }) =>
  async (actor: Actor, userId: Id<'user'>, change: z.infer<typeof changeMemberBody>): Promise<MemberView> => {
    requirePermission(actor, 'member:manage');
    return deps.unitOfWork.within(actor.scope, async (stores) => {
      await stores.tenants.lockRights(actor.scope.tenantId);
      const member = requireFound(await stores.members.find(userId));
      const role = change.roleKey === undefined ? null : await stores.roles.findByKey(change.roleKey);
      if (change.roleKey !== undefined && !role) {
        throw new AppError({ code: 'invalid_request', message: `There is no role ${change.roleKey}.`, details: { path: 'roleKey' } });
      }
      await applyMemberChange(stores, { actor, member, role, disabled: change.disabled, at: deps.clock.now() });
      return toMemberView(requireFound(await stores.members.find(userId)));
    });
  };

interface MemberChange {
  readonly actor: Actor;
  readonly member: Member;
  readonly role: Role | null;
  readonly disabled?: boolean | undefined;
  readonly at: Date;
}

/** Under the tenant's lock of rights; see `changeMember`. */
export async function applyMemberChange(stores: Stores, { actor, member, role, disabled, at }: MemberChange): Promise<void> {
  const { members, rights, audit } = stores;
  requireOwnRights(actor, member.role.permissions);
  if (role) requireOwnRights(actor, role.permissions);
  const stays = (role?.key ?? member.role.key) === 'owner' && disabled !== true;
  if (!stays) await requireAnotherOwner(members, member);
  await members.update(member.userId, {
    roleId: role?.id,
    disabledAt: disabled === undefined ? undefined : disabled ? (member.disabledAt ?? at) : null,
  });
  await rights.ring({ tenantId: actor.scope.tenantId, userId: member.userId });
  await audit.record({
    type: 'member.changed',
    actor: auditedAs(actor),
    target: { kind: 'user', id: member.userId, name: member.email },
    details: {
      ...(role ? { role: { from: member.role.key, to: role.key } } : {}),
      ...(disabled === undefined ? {} : { disabled: { from: member.disabledAt !== null, to: disabled } }),
    },
  });
  if (role) await settleRequests(stores, { actor, member, role, at });
}

/** Grants what the person has asked for and now has. */
async function settleRequests(
  { accessRequests, audit }: Stores,
  { actor, member, role, at }: { actor: Actor; member: Member; role: Role; at: Date },
): Promise<void> {
  for (const { id, permission } of await accessRequests.list({ ofUser: member.userId, state: 'OPEN', limit: 100 })) {
    if (!role.permissions.includes(permission)) continue;
    await accessRequests.decide(id, { state: 'GRANTED', by: actor.scope.userId, at, note: null });
    await audit.record({
      type: 'access.granted',
      actor: auditedAs(actor),
      target: { kind: 'user', id: member.userId, name: member.email },
      details: { requestId: id, permission, role: role.key },
    });
  }
}

/** Throws `last_owner` when nobody else could act as owner: a tenant never loses its last one. */
export async function requireAnotherOwner(members: MemberStore, member: Member): Promise<void> {
  if (member.role.key !== 'owner' || (await members.countOtherOwners(member.userId)) > 0) return;
  throw new AppError({ code: 'last_owner', message: 'This is the last owner. Make someone else an owner first.' });
}
