import type { z } from 'zod';
import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError } from '#lib/kernel/index.ts';
import type { changePasswordBody } from '#lib/tenancy/contract.ts';
import type { Account, PasswordHasher } from '#lib/tenancy/index.ts';
import type { Sender, SignInLimiter } from './ports.ts';
import { consumeAttempt, type RecordDependencies, recordFailure, recordInTenants } from './sign-in-record.ts';

/**
 * Gives a person another password, signs them out everywhere else and ends their reset links. Attempts count with those to
 * sign in: whoever holds an open browser may not guess either. Throws `rate_limited` and `invalid_credentials`, both on the
 * record; the latter also for people who have no password here.
 */
export const changePassword =
  (deps: RecordDependencies & { passwordHasher: PasswordHasher; signInLimiter: SignInLimiter }) =>
  async (account: Account, change: z.infer<typeof changePasswordBody>, sender: Sender): Promise<void> => {
    const { userId, email, signInSessionId } = account;
    await consumeAttempt(deps, { email, sender });
    const current = await deps.platformUnitOfWork.within({}, ({ users }) => users.findPasswordHash(userId));
    if (!(await deps.passwordHasher.verify(change.currentPassword, current))) {
      await recordFailure(deps, { userId, email, reason: 'wrong-current-password', sender });
      throw new AppError({ code: 'invalid_credentials', message: 'The current password is wrong.' });
    }
    await deps.signInLimiter.reset({ email, ip: sender.ip });
    // Hashed before the transaction begins, so that no connection waits for it.
    const passwordHash = await deps.passwordHasher.hash(change.newPassword);
    const { entry, tenants } = await deps.platformUnitOfWork.within(
      { userId },
      async ({ users, signInSessions, passwordResets, tenants, rights, audit }) => {
        await users.setPasswordHash(userId, passwordHash);
        await passwordResets.removeAllOf(userId);
        const signedOut = await signInSessions.revokeAllOf({ userId, except: signInSessionId });
        await rights.ring({ tenantId: null, userId });
        const entry: AuditEntry = {
          type: 'password.changed',
          actor: { kind: 'user', id: userId },
          target: { kind: 'user', id: userId, name: email },
          details: { signedOut, ip: sender.ip },
        };
        await audit.record(entry);
        return { entry, tenants: await tenants.listOfUser(userId) };
      },
    );
    await recordInTenants(deps, tenants, entry);
  };
