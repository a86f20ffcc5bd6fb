import type { z } from 'zod';
import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type Id } from '#lib/kernel/index.ts';
import type { resetPasswordBody } from '#lib/tenancy/contract.ts';
import type { PasswordHasher, User } from '#lib/tenancy/index.ts';
import type { AuthStores, LinkTokens, PasswordReset, Sender } from './ports.ts';
import { reachesBeyond } from './reset-reach.ts';
import { type RecordDependencies, recordInTenants } from './sign-in-record.ts';

interface Dependencies extends RecordDependencies {
  readonly linkTokens: LinkTokens;
}

/** Whose password a link sets; null for one that was used, has expired, never was, or serves no more. The link still serves afterwards. */
export const findPasswordReset =
  (deps: Dependencies) =>
  async (token: string): Promise<{ email: string } | null> => {
    const reset = await deps.platformUnitOfWork.within({}, ({ passwordResets }) => passwordResets.find(deps.linkTokens.hash(token)));
    const user = reset && (await deps.platformUnitOfWork.within({ userId: reset.userId }, (stores) => findEntitled(stores, reset)));
    return user && { email: user.email };
  };

/**
 * Sets a new password by a link, once, and signs the person out everywhere. Throws `not_found`, the same for a link that
 * was used, has expired or never was, for an account that is closed, and for one that came to reach beyond the tenant
 * whose admin made the link.
 */
export const resetPassword =
  (deps: Dependencies & { passwordHasher: PasswordHasher }) =>
  async ({ token, password }: z.infer<typeof resetPasswordBody>, sender: Sender): Promise<void> => {
    const hash = deps.linkTokens.hash(token);
    // Looked up first: whoever has no link does not get a slow hash for the asking.
    const known = await deps.platformUnitOfWork.within({}, ({ passwordResets }) => passwordResets.find(hash));
    if (!known) throw noSuchLink();
    const passwordHash = await deps.passwordHasher.hash(password);
    const { tenants, entry } = await deps.platformUnitOfWork.within({ userId: known.userId }, async (stores) => {
      const { users, tenants, signInSessions, passwordResets, rights, audit } = stores;
      const taken = await passwordResets.take(hash);
      const user = taken && (await findEntitled(stores, taken));
      if (!user) throw noSuchLink();
      await users.setPasswordHash(user.id, passwordHash);
      const signedOut = await signInSessions.revokeAllOf({ userId: user.id, except: null });
      await rights.ring({ tenantId: null, userId: user.id });
      const entry = resetEntry(user, { signedOut, ip: sender.ip });
      await audit.record(entry);
      return { tenants: await tenants.listOfUser(user.id), entry };
    });
    await recordInTenants(deps, tenants, entry);
  };

async function findEntitled(stores: AuthStores, reset: PasswordReset): Promise<User | null> {
  const user = await stores.users.find(reset.userId);
  if (!user || user.isDisabled) return null;
  return reset.tenantId && (await reachesBeyond(stores, { userId: user.id, tenantId: reset.tenantId })) ? null : user;
}

function resetEntry({ id, email }: { id: Id<'user'>; email: string }, details: { signedOut: number; ip: string }): AuditEntry {
  return { type: 'password.reset', actor: { kind: 'user', id }, target: { kind: 'user', id, name: email }, details };
}

function noSuchLink(): AppError {
  return new AppError({ code: 'not_found', message: 'This link does not serve: it was used, it has expired, or it never was.' });
}
