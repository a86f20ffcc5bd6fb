import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type Clock, type Id } from '#lib/kernel/index.ts';
import type { AccountStandView } from '#lib/tenancy/contract.ts';
import type { Account } from '#lib/tenancy/index.ts';
import { requireOperator } from './require-operator.ts';
import { type RecordDependencies, recordInTenants } from './sign-in-record.ts';

/**
 * Shuts an account out of the whole deployment, or lets it in again: its sign-ins, links, API keys and open streams end with
 * the next request. Throws `permission_denied`, `not_found`, and `invalid_request` for one's own: somebody must be left who
 * can undo it.
 */
export const setAccountDisabled =
  (deps: RecordDependencies & { clock: Clock }) =>
  async (operator: Account, userId: Id<'user'>, { disabled }: { disabled: boolean }): Promise<AccountStandView> => {
    requireOperator(operator);
    if (userId === operator.userId)
      throw new AppError({ code: 'invalid_request', message: 'Another operator can close your own account.' });
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
    return { userId, email: user.email, name: user.name, disabled };
  };
