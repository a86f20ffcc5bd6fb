import type { z } from 'zod';
import { AppError, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { addMemberBody, MemberView } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toMemberView } from './list-members.ts';
import type { PasswordHasher, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/**
 * Makes a person a member, with an account of their own if the address has none yet. An account that exists keeps its name
 * and password: it may belong to other tenants as well. Throws `rights_exceeded`, `member_exists`, `invalid_request`.
 */
export const addMember =
  (deps: {
    unitOfWork: UnitOfWork<Pick<TenancyStores, 'members' | 'roles' | 'users' | 'tenants' | 'audit'>>;
    passwordHasher: PasswordHasher;
  }) =>
  async (actor: Actor, member: z.infer<typeof addMemberBody>): Promise<MemberView> => {
    requirePermission(actor, 'member:manage');
    // Hashed before the transaction begins, so that no connection waits for it.
    const passwordHash = member.password === undefined ? null : await deps.passwordHasher.hash(member.password);
    return deps.unitOfWork.within(actor.scope, async ({ members, roles, users, tenants, audit }) => {
      await tenants.lockRights(actor.scope.tenantId);
      const role = await roles.findByKey(member.roleKey);
      if (!role)
        throw new AppError({ code: 'invalid_request', message: `There is no role ${member.roleKey}.`, details: { path: 'roleKey' } });
      requireOwnRights(actor, role.permissions);
      const userId = (await users.findByEmail(member.email))?.id ?? newId('user');
      if (await members.find(userId)) throw new AppError({ code: 'member_exists', message: `${member.email} is a member already.` });
      if (!(await users.findByEmail(member.email))) {
        if (!passwordHash)
          throw new AppError({
            code: 'invalid_request',
            message: 'This person has no account yet: give them a first password.',
            details: { path: 'password' },
          });
        await users.add({ id: userId, email: member.email, name: member.name, passwordHash, isOperator: false });
      }
      await members.add({ userId, roleId: role.id });
      await audit.record({
        type: 'member.added',
        actor: auditedAs(actor),
        target: { kind: 'user', id: userId, name: member.email },
        details: { role: role.key },
      });
      return toMemberView(requireFound(await members.find(userId)));
    });
  };
