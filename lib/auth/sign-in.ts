import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type Clock, type Id, newId } from '#lib/kernel/index.ts';
import { metrics } from '#lib/telemetry/index.ts';
import { emailAddress } from '#lib/tenancy/contract.ts';
import { DEMO_PEOPLE, DEMO_SLUG, type PasswordHasher } from '#lib/tenancy/index.ts';
import type { Sender, SignInLimiter } from './ports.ts';
import { consumeAttempt, type RecordDependencies, recordFailure, recordInTenants } from './sign-in-record.ts';

/** After this a person signs in again, whatever they did meanwhile. */
export const SIGN_IN_LASTS_MS = 30 * 24 * 60 * 60 * 1000;
/** No refusal is quicker, so that its time does not tell whether there is such an account. */
const SLOWEST_REFUSAL_MS = 250;

interface Dependencies extends RecordDependencies {
  readonly clock: Clock;
  readonly passwordHasher: PasswordHasher;
  readonly signInLimiter: SignInLimiter;
}

export interface SignedIn {
  readonly userId: Id<'user'>;
  readonly signInSessionId: Id<'signInSession'>;
}

const passwordCredentials = z.object({ email: emailAddress, password: z.string().min(1).max(1000) });

/**
 * Signs a person in by email and password. Throws `rate_limited` and `invalid_credentials`; the latter is the same, in words
 * and in time, for a wrong password, an account that is closed and one that never was.
 */
export const signInWithPassword =
  (deps: Dependencies) =>
  async (given: unknown, sender: Sender): Promise<SignedIn> => {
    const slowest = sleep(SLOWEST_REFUSAL_MS);
    const parsed = passwordCredentials.safeParse(given);
    const { email, password } = parsed.success ? parsed.data : { email: '', password: '' };
    await consumeAttempt(deps, { email, sender });
    const account = await deps.platformUnitOfWork.within({}, async ({ users }) => {
      const user = await users.findByEmail(email);
      return user ? { ...user, passwordHash: await users.findPasswordHash(user.id) } : null;
    });
    const isRight = await deps.passwordHasher.verify(password, account?.passwordHash ?? null);
    if (account && isRight && !account.isDisabled) {
      await deps.signInLimiter.reset({ email, ip: sender.ip });
      return startSignIn(deps, { userId: account.id, method: 'password', sender });
    }
    const reason = !account ? 'unknown-account' : account.isDisabled && isRight ? 'disabled-account' : 'wrong-password';
    await recordFailure(deps, { userId: account?.id ?? null, email, reason, sender });
    await slowest;
    throw new AppError({ code: 'invalid_credentials', message: 'The email address or the password is wrong.' });
  };

/**
 * Signs in as the demo's owner without a password. `isTrusted` is the trust rule's word on the sender. Throws `not_found`
 * without it, and where there is no demo.
 */
export const signInToDemo =
  (deps: Dependencies & { readonly isDemoAllowed: boolean }) =>
  async (sender: Sender & { readonly isTrusted: boolean }): Promise<SignedIn> => {
    const owner = await deps.platformUnitOfWork.within({}, async ({ tenants, users }) => {
      const demo = sender.isTrusted && deps.isDemoAllowed ? await tenants.findBySlug(DEMO_SLUG) : null;
      return demo?.isDemo ? users.findByEmail(DEMO_PEOPLE[0]?.email ?? '') : null;
    });
    if (!owner || owner.isDisabled) throw new AppError({ code: 'not_found', message: 'There is no demo to open here.' });
    return startSignIn(deps, { userId: owner.id, method: 'demo', sender });
  };

/** Makes the row of a sign-in, on the record of the platform and of the person's tenants. */
export async function startSignIn(
  deps: RecordDependencies & { readonly clock: Clock },
  { userId, method, sender }: { userId: Id<'user'>; method: string; sender: Sender },
): Promise<SignedIn> {
  const id = newId('signInSession');
  const now = deps.clock.now();
  const entry: AuditEntry = {
    type: 'sign-in.succeeded',
    actor: { kind: 'user', id: userId },
    target: { kind: 'sign-in-session', id },
    details: { method, ip: sender.ip },
  };
  const tenants = await deps.platformUnitOfWork.within({ userId }, async ({ signInSessions, tenants, audit }) => {
    await signInSessions.add({
      id,
      userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SIGN_IN_LASTS_MS),
      ...sender,
    });
    await audit.record(entry);
    return tenants.listOfUser(userId);
  });
  await recordInTenants(deps, tenants, entry);
  metrics.signIns.inc({ outcome: 'succeeded' });
  return { userId, signInSessionId: id };
}
