import type { AuditEntry, AuditLog } from '#lib/audit/index.ts';
import type { Config } from '#lib/config/index.ts';
import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { ResetLinkView } from '#lib/tenancy/contract.ts';
import {
  type Account,
  type Actor,
  auditedAs,
  type MemberStore,
  type PlatformUnitOfWork,
  requireOperator,
  requireOwnRights,
  requirePermission,
} from '#lib/tenancy/index.ts';
import type { AuthStores, LinkTokens, PasswordResetStore } from './ports.ts';
import { reachesBeyond } from './reset-reach.ts';
import { recordInTenants } from './sign-in-record.ts';

/** There is no mail: an admin hands the link on, which may take a day. */
const LINK_LASTS_MS = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly clock: Clock;
  readonly linkTokens: LinkTokens;
  readonly platformUnitOfWork: PlatformUnitOfWork<AuthStores>;
}

/**
 * Makes the link by which a member of the actor's tenant sets a new password; their earlier links serve no more. Throws
 * `not_found`, and `rights_exceeded` for members with more rights than the actor and for accounts that reach beyond the
 * tenant: an admin of one tenant must not come into another by way of a person's password.
 */
export const makeMemberResetLink =
  (
    deps: Dependencies & {
      unitOfWork: UnitOfWork<{ readonly members: MemberStore; readonly passwordResets: PasswordResetStore; readonly audit: AuditLog }>;
    },
  ) =>
  async (actor: Actor, userId: Id<'user'>): Promise<ResetLinkView> => {
    requirePermission(actor, 'member:manage');
    const { tenantId } = actor.scope;
    const isBeyond = await deps.platformUnitOfWork.within({ userId }, (stores) => reachesBeyond(stores, { userId, tenantId }));
    const { token, hash } = deps.linkTokens.mint();
    const expiresAt = new Date(deps.clock.now().getTime() + LINK_LASTS_MS);
    await deps.unitOfWork.within(actor.scope, async ({ members, passwordResets, audit }) => {
      const member = await members.find(userId);
      if (!member) throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
      requireOwnRights(actor, member.role.permissions);
      if (isBeyond) {
        throw new AppError({
          code: 'rights_exceeded',
          message: 'This account reaches beyond this workspace: an operator of the deployment can make a link for it.',
        });
      }
      await passwordResets.put({ hash, userId, tenantId, expiresAt });
      await audit.record({ ...linkMade({ userId, email: member.email, expiresAt }), actor: auditedAs(actor) });
    });
    return toView(deps, token, expiresAt);
  };

/** The same by an operator, for any account. Throws `permission_denied` and `not_found`. */
export const makeOperatorResetLink =
  (deps: Dependencies & { unitOfWork: UnitOfWork<{ readonly audit: AuditLog }> }) =>
  async (operator: Account, userId: Id<'user'>): Promise<ResetLinkView> => {
    requireOperator(operator);
    const { token, hash } = deps.linkTokens.mint();
    const expiresAt = new Date(deps.clock.now().getTime() + LINK_LASTS_MS);
    // In the person's scope, so that their tenants can be told.
    const { tenants, entry } = await deps.platformUnitOfWork.within({ userId }, async ({ users, passwordResets, tenants, audit }) => {
      const user = await users.find(userId);
      if (!user) throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
      await passwordResets.put({ hash, userId, tenantId: null, expiresAt });
      const entry: AuditEntry = {
        ...linkMade({ userId, email: user.email, expiresAt }),
        actor: { kind: 'user', id: operator.userId },
      };
      await audit.record(entry);
      return { tenants: await tenants.listOfUser(userId), entry };
    });
    await recordInTenants(deps, tenants, entry);
    return toView(deps, token, expiresAt);
  };

function linkMade({ userId, email, expiresAt }: { userId: Id<'user'>; email: string; expiresAt: Date }): AuditEntry {
  return {
    type: 'password.reset-link-made',
    target: { kind: 'user', id: userId, name: email },
    details: { expiresAt: expiresAt.toISOString() },
  };
}

function toView({ config }: Dependencies, token: string, expiresAt: Date): ResetLinkView {
  return { url: new URL(`/reset/${token}`, config.publicUrl).href, expiresAt: expiresAt.toISOString() };
}
