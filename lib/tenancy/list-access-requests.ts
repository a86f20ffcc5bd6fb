import type { UnitOfWork } from '#lib/kernel/index.ts';
import type { AccessRequestPage, AccessRequestQuery, AccessRequestView, PermissionView } from './contract.ts';
import { type Actor, hasPermission, requirePermission } from './domain/actor.ts';
import type { Permission } from './domain/permission.ts';
import { type GrantingRole, rolesThatGrant } from './domain/roles-that-grant.ts';
import type { AccessRequest, Member, TenancyStores } from './ports.ts';

const REQUESTS_SHOWN = 100;
const GRANTERS_SHOWN = 5;

/** Newest first: everyone's, with the roles that would grant them, for those who manage members; else one's own. */
export const listAccessRequests =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'accessRequests' | 'members' | 'roles'>> }) =>
  async (actor: Actor, { state }: AccessRequestQuery): Promise<AccessRequestPage> => {
    requirePermission(actor, 'tenant:read');
    const decides = hasPermission(actor, 'member:manage');
    return deps.unitOfWork.within(actor.scope, async ({ accessRequests, members, roles }) => {
      const requests = await accessRequests.list({ ofUser: decides ? null : actor.scope.userId, state, limit: REQUESTS_SHOWN });
      const known = decides ? await roles.list() : [];
      const items: AccessRequestView[] = [];
      for (const request of requests) {
        const member = decides && request.state === 'OPEN' ? await members.find(request.requester.userId) : null;
        const grants = member ? rolesThatGrant(request.permission, { roles: known, current: member.role, giver: actor.permissions }) : [];
        items.push(toAccessRequestView(request, member, grants));
      }
      return { items, nextCursor: null };
    });
  };

/** Whether one has a permission, who could give it, and what became of one's last request for it. */
export const getPermission =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'accessRequests' | 'members'>> }) =>
  async (actor: Actor, permission: Permission): Promise<PermissionView> => {
    requirePermission(actor, 'tenant:read');
    return deps.unitOfWork.within(actor.scope, async ({ accessRequests, members }) => {
      const [latest] = await accessRequests.list({ ofUser: actor.scope.userId, permission, limit: 1 });
      const granters = await members.listHolders('member:manage', GRANTERS_SHOWN);
      return {
        permission,
        isHeld: hasPermission(actor, permission),
        // Nobody hands on what they lack.
        granters: granters.filter(({ role }) => role.permissions.includes(permission)).map(({ name }) => ({ name })),
        request: latest ? toAccessRequestView(latest, null) : null,
      };
    });
  };

/** `member`: the requester as they are now; null where it is not for the reader to know. */
export function toAccessRequestView(
  request: AccessRequest,
  member: Member | null,
  grants: readonly GrantingRole[] = [],
): AccessRequestView {
  const { id, requester, permission, reason, state, decidedBy, decidedAt, note, createdAt } = request;
  return {
    id,
    requester: { userId: requester.userId, name: requester.name },
    role: member && { key: member.role.key, name: member.role.name },
    permission,
    reason,
    state,
    decidedBy: decidedBy && { name: decidedBy.name },
    decidedAt: decidedAt?.toISOString() ?? null,
    note,
    createdAt: createdAt.toISOString(),
    grants: grants.map(({ key, name, gains, loses }) => ({ key, name, gains: [...gains], loses: [...loses] })),
  };
}
