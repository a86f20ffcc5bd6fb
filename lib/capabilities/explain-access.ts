import { AppError, type Id, isAppError, parseId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { AccessQuery, AccessView } from '#lib/tenancy/contract.ts';
import { type Actor, type Member, type Permission, requirePermission, type TenancyStores } from '#lib/tenancy/index.ts';
import { type AccessDecision, decideAccess } from './domain/access.ts';
import type { Capability } from './domain/capability.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork<Pick<TenancyStores, 'members' | 'roles'>>;
  /** Reads rights as the start of a run does. */
  readonly actors: { actorOfRun(run: { tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: null }): Promise<Actor> };
  readonly findCapability: (tenantId: Id<'tenant'>, capabilityId: string) => Promise<Capability | undefined>;
}

const GRANTERS_SHOWN = 5;

/**
 * Whether a member may do something, and by which rule. Rights are read and capabilities decided by the code that a run's
 * calls go through, so that the explanation cannot say otherwise. Throws `not_found` for who is no member, `invalid_request`
 * unless one thing is asked about.
 */
export async function explainAccess(deps: Dependencies, actor: Actor, query: AccessQuery): Promise<AccessView> {
  requirePermission(actor, 'member:read');
  requirePermission(actor, 'role:read');
  const { tenantId } = actor.scope;
  const userId = query.user === undefined ? actor.scope.userId : parseId('user', query.user);
  const { member, roles, granters } = await deps.unitOfWork.within(actor.scope, async ({ members, roles }) => ({
    member: userId && (await members.find(userId)),
    roles: await roles.list(),
    granters: await members.listHolders('member:manage', GRANTERS_SHOWN),
  }));
  if (!member) throw new AppError({ code: 'not_found', message: 'There is no such member.' });
  const subject = subjectOf(query);
  const capability = subject.kind === 'capability' ? await deps.findCapability(tenantId, subject.id) : undefined;
  const required = subject.kind === 'permission' ? [subject.id] : (capability?.metadata.requiredPermissions ?? []);
  const permissions = await findPermissions(deps, tenantId, member);
  const decision =
    permissions && (subject.kind === 'permission' ? decidePermission(subject.id, permissions) : decideAccess(capability, permissions));
  return {
    person: { userId: member.userId, name: member.name, role: { key: member.role.key, name: member.role.name } },
    subject,
    isAllowed: decision?.isAllowed === true,
    rule: decision === null ? (member.disabledAt ? 'locked-out' : 'closed-account') : decision.isAllowed ? 'granted' : decision.rule,
    required: [...required],
    lacking: decision?.isAllowed === false && decision.rule === 'lacking' ? [...decision.lacking] : [],
    needsApproval: capability?.metadata.sideEffect === 'destructive',
    grantingRoles: roles
      .filter((role) => required.every((permission) => role.permissions.includes(permission)))
      .map(({ key, name }) => ({ key, name })),
    granters: granters.map(({ name, email }) => ({ name, email })),
  };
}

function subjectOf({
  permission,
  capability,
}: AccessQuery): { readonly kind: 'permission'; readonly id: Permission } | { readonly kind: 'capability'; readonly id: string } {
  if (permission !== undefined && capability === undefined) return { kind: 'permission', id: permission };
  if (capability !== undefined && permission === undefined) return { kind: 'capability', id: capability };
  throw new AppError({ code: 'invalid_request', message: 'Ask about one permission or one capability.', details: { path: 'permission' } });
}

/** What the person may do now; null where they may not act here at all. */
async function findPermissions(deps: Dependencies, tenantId: Id<'tenant'>, member: Member): Promise<ReadonlySet<Permission> | null> {
  try {
    return (await deps.actors.actorOfRun({ tenantId, userId: member.userId, apiKeyId: null })).permissions;
  } catch (error) {
    if (isAppError(error) && error.code === 'permission_denied') return null;
    throw error;
  }
}

/** As `requirePermission` decides for every request. */
function decidePermission(permission: Permission, permissions: ReadonlySet<Permission>): AccessDecision {
  return permissions.has(permission) ? { isAllowed: true } : { isAllowed: false, rule: 'lacking', lacking: [permission] };
}
