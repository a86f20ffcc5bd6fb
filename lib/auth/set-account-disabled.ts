import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { AccountStandView } from '#lib/tenancy/contract.ts';
import { type Account, requireOperator, type TenancyStores } from '#lib/tenancy/index.ts';
import { type RecordDependencies, recordInTenants } from './sign-in-record.ts';

interface OwnerDependencies {
  readonly unitOfWork: UnitOfWork<Pick<TenancyStores, 'members'>>;
}

/**
 * Shuts an account out of the whole deployment, or lets it in again: its sign-ins, links, API keys and open streams end with
 * the next request. Throws `permission_denied`, `not_found`, `last_owner` where a workspace would be left without one, and
 * `invalid_request` for one's own: somebody must be left who can undo it.
 */
export const setAccountDisabled =
  (deps: RecordDependencies & OwnerDependencies & { clock: Clock }) =>
  async (operator: Account, userId: Id<'user'>, { disabled }: { disabled: boolean }): Promise<AccountStandView> => {
    requireOperator(operator);
    if (userId === operator.userId)
      throw new AppError({ code: 'invalid_request', message: 'Another operator can close your own account.' });
    if (disabled) await requireOwnersLeft(deps, userId);
    const { user, tenants, entry } = await deps.platformUnitOfWork.within({ userId }, async (stores) => {
      const { users, tenants, signInSessions, passwordResets, rights, audit } = stores;
      const user = await users.find(userId);
      if (!user) throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
      await users.setDisabled(userId, disabled ? deps.clock.now() : null);
      const signedOut = disabled ? await signInSessions.revokeAllOf({ userId, except: null }) : 0;
      if (disabled) await passwordResets.removeAllOf(userId);
      await rights.ring({ tenantId: null, userId });
      const entry: AuditEntry = {
        type: disabled ? 'account.disabled' : 'account.enabled',
        actor: { kind: 'user', id: operator.userId },
        target: { kind: 'user', id: userId, name: user.email },
        details: disabled ? { signedOut } : {},
      };
      await audit.record(entry);
      return { user, tenants: await tenants.listOfUser(userId), entry };
    });
    await recordInTenants(deps, tenants, entry);
    return { userId, email: user.email, name: user.name, disabled, isOperator: user.isOperator };
  };

/** A tenant never loses its last owner, on this way neither. */
async function requireOwnersLeft(
  deps: Pick<RecordDependencies, 'platformUnitOfWork'> & OwnerDependencies,
  userId: Id<'user'>,
): Promise<void> {
  const tenants = await deps.platformUnitOfWork.within({ userId }, (stores) => stores.tenants.listOfUser(userId));
  const left: string[] = [];
  for (const { id, slug } of tenants) {
    const isLast = await deps.unitOfWork.within({ tenantId: id }, async ({ members }) => {
      const member = await members.find(userId);
      return member?.role.key === 'owner' && (await members.countOtherOwners(userId)) === 0;
    });
    if (isLast) left.push(slug);
  }
  if (left.length === 0) return;
  throw new AppError({
    code: 'last_owner',
    message: `This is the last owner of ${left.join(', ')}. Make someone else an owner there first, or suspend or delete the workspace.`,
    details: { tenants: left },
  });
}
