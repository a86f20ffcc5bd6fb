import type { AuditLog } from '#lib/audit/index.ts';
import { AppError, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, requirePermission, type TenancyStores } from '#lib/tenancy/index.ts';
import type { SignInSessionStore } from './ports.ts';

interface ViewDependencies {
  readonly unitOfWork: UnitOfWork<Pick<TenancyStores, 'roles' | 'rights'> & { signInSessions: SignInSessionStore; audit: AuditLog }>;
}

/**
 * From the next request on, this sign-in sees the tenant as somebody with the role does, with no right above the person's own,
 * and changes nothing in it. Other sign-ins of the person stay as they are. Throws `permission_denied` without `role:manage`,
 * `not_found`, and `invalid_request` for an API key.
 */
export const viewAsRole =
  (deps: ViewDependencies) =>
  async (actor: Actor, roleId: Id<'role'>): Promise<void> => {
    requirePermission(actor, 'role:manage');
    await deps.unitOfWork.within(actor.scope, async ({ roles, signInSessions, rights, audit }) => {
      const role = await roles.find(roleId);
      if (!role) throw new AppError({ code: 'not_found', message: 'There is no such role.' });
      await view(signInSessions, actor, roleId);
      // Streams that are open read with the rights they were opened with.
      await rights.ring({ tenantId: actor.scope.tenantId, userId: actor.scope.userId });
      await audit.record({
        type: 'role.view-started',
        actor: auditedAs(actor),
        target: { kind: 'role', id: roleId, name: role.name },
        details: { ownRole: actor.roleKey },
      });
    });
  };

/** The person is themselves again. Throws as `viewAsRole`. */
export const endRoleView =
  (deps: ViewDependencies) =>
  async (actor: Actor): Promise<void> => {
    requirePermission(actor, 'role:manage');
    await deps.unitOfWork.within(actor.scope, async ({ signInSessions, rights, audit }) => {
      await view(signInSessions, actor, null);
      await rights.ring({ tenantId: actor.scope.tenantId, userId: actor.scope.userId });
      await audit.record({
        type: 'role.view-ended',
        actor: auditedAs(actor),
        target: { kind: 'user', id: actor.scope.userId, name: actor.email },
      });
    });
  };

async function view(signInSessions: SignInSessionStore, actor: Actor, roleId: Id<'role'> | null): Promise<void> {
  const { signInSessionId, scope } = actor;
  if (!signInSessionId) throw new AppError({ code: 'invalid_request', message: 'A role is looked at in a browser: an API key is itself.' });
  if (!(await signInSessions.view({ id: signInSessionId, userId: scope.userId, roleId }))) {
    throw new AppError({ code: 'unauthenticated', message: 'This sign-in has ended.' });
  }
}
