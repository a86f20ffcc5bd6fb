import type { z } from 'zod';
import type { AuditLog } from '#lib/audit/index.ts';
import { AppError, type UnitOfWork } from '#lib/kernel/index.ts';
import type { groupRolesView, setGroupRolesBody } from '#lib/tenancy/contract.ts';
import {
  type Actor,
  auditedAs,
  type Role,
  type RoleStore,
  requireOwnRights,
  requirePermission,
  type TenantStore,
} from '#lib/tenancy/index.ts';
import type { GroupRole, GroupRoleStore, OidcSettings } from './ports.ts';

interface Dependencies {
  readonly oidc: Pick<OidcSettings, 'issuer' | 'label' | 'groupsClaim'> | null;
  readonly unitOfWork: UnitOfWork<{
    readonly tenants: TenantStore;
    readonly roles: RoleStore;
    readonly groupRoles: GroupRoleStore;
    readonly audit: AuditLog;
  }>;
}

/** Which groups of the sign-in provider have which role here, in their order. */
export const getGroupRoles =
  (deps: Dependencies) =>
  async (actor: Actor): Promise<z.infer<typeof groupRolesView>> => {
    requirePermission(actor, 'member:read');
    return deps.unitOfWork.within(actor.scope, async ({ groupRoles }) => toView(deps, await groupRoles.list()));
  };

/**
 * Says anew which groups have which role; it holds from each person's next sign-in on. Throws `rights_exceeded` when a line
 * that is added, changed or taken away concerns rights above the actor's own, and `invalid_request` for a role or a group
 * that does not serve.
 */
export const setGroupRoles =
  (deps: Dependencies) =>
  async (actor: Actor, { groupRoles: wanted }: z.infer<typeof setGroupRolesBody>): Promise<z.infer<typeof groupRolesView>> => {
    requirePermission(actor, 'member:manage');
    return deps.unitOfWork.within(actor.scope, async ({ tenants, roles, groupRoles, audit }) => {
      await tenants.lockRights(actor.scope.tenantId);
      const known = await roles.list();
      const before = await groupRoles.list();
      const after = wanted.map(({ group, roleKey }, index) => ({ group, role: findRole(known, roleKey, index) }));
      const repeated = after.find(({ group }, index) => after.findIndex((other) => other.group === group) !== index);
      if (repeated) throw new AppError({ code: 'invalid_request', message: `The group ${repeated.group} is there twice.` });
      for (const { role } of changedLines(before, after)) requireOwnRights(actor, role.permissions);
      await groupRoles.replace(after.map(({ group, role }) => ({ group, roleId: role.id })));
      await audit.record({
        type: 'group-roles.updated',
        actor: auditedAs(actor),
        target: { kind: 'tenant', id: actor.scope.tenantId },
        details: { from: before.map(toLine), to: after.map(toLine) },
      });
      return toView(deps, after);
    });
  };

function findRole(roles: readonly Role[], key: string, index: number): Role {
  const role = roles.find((candidate) => candidate.key === key);
  if (role) return role;
  throw new AppError({ code: 'invalid_request', message: `There is no role ${key}.`, details: { path: `groupRoles.${index}.roleKey` } });
}

/** Lines that were not there, or are no more. Order counts as well: it decides for whoever is in several groups. */
function changedLines<
  Line extends Pick<GroupRole, 'group'> & { readonly role: { readonly key: string; readonly permissions: readonly string[] } },
>(before: readonly Line[], after: readonly Line[]): Line[] {
  const isIn = (lines: readonly Line[], { group, role }: Line, index: number) =>
    lines[index]?.group === group && lines[index].role.key === role.key;
  return [...before.filter((line, index) => !isIn(after, line, index)), ...after.filter((line, index) => !isIn(before, line, index))];
}

function toLine({ group, role }: { group: string; role: { key: string } }) {
  return { group, role: role.key };
}

function toView(
  { oidc }: Dependencies,
  groupRoles: readonly { group: string; role: { key: string; name: string } }[],
): z.infer<typeof groupRolesView> {
  return {
    provider: oidc && { issuer: oidc.issuer, label: oidc.label, groupsClaim: oidc.groupsClaim },
    groupRoles: groupRoles.map(({ group, role }) => ({ group, roleKey: role.key, roleName: role.name })),
  };
}
