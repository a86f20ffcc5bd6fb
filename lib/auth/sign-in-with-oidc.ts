import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type Id, newId } from '#lib/kernel/index.ts';
import type { User } from '#lib/tenancy/index.ts';
import { type ApplyDependencies, applyGroupRoles } from './apply-group-roles.ts';
import { type OidcClaims, readOidcClaims } from './domain/oidc-claims.ts';
import type { OidcRefusal } from './domain/oidc-refusal.ts';
import type { AuthStores, OidcSettings, Sender, SignInLimiter } from './ports.ts';
import { type SignedIn, startSignIn } from './sign-in.ts';
import { type RecordDependencies, recordFailure, recordInTenants } from './sign-in-record.ts';

interface Dependencies extends ApplyDependencies {
  readonly signInLimiter: SignInLimiter;
  readonly oidc: Pick<OidcSettings, 'issuer' | 'groupsClaim'> | null;
}

/**
 * Signs in whom the provider has proved to be somebody, by its ID token. Who that is here (decision 0011):
 * 1. a subject that has signed in before is the account it was then, whatever its address is now;
 * 2. else the account of its verified address, which is linked from now on and loses its password: nobody ever proved here
 *    that the address was theirs. Not the account of an operator, nor one that another subject has linked;
 * 3. else a new account, where a tenant lets one of its groups in.
 * Roles that come from groups are then brought up to date. Throws `permission_denied` with `details.reason`, on the record.
 */
export const signInWithOidc =
  (deps: Dependencies) =>
  async (idToken: unknown, sender: Sender): Promise<SignedIn> => {
    if (!deps.oidc) throw new AppError({ code: 'not_found', message: 'There is no sign-in provider here.' });
    const claims = readOidcClaims(idToken, deps.oidc.groupsClaim);
    const found = await findOrMakeAccount(deps, { issuer: deps.oidc.issuer, claims, sender });
    if ('refusal' in found) return refuseOidc(deps)({ ...found, email: claims.verifiedEmail ?? '' }, sender);
    await recordInTenants(deps, found.tenants, ...found.entries);
    if (claims.groups) await applyGroupRoles(deps, { user: found.user, groups: claims.groups });
    await deps.signInLimiter.resetOf(sender.ip);
    return startSignIn(deps, { userId: found.user.id, method: 'oidc', sender });
  };

/** Puts a refusal on the record and throws it, as `signInWithOidc` does. */
export const refuseOidc =
  (deps: RecordDependencies) =>
  async (refused: { refusal: OidcRefusal; userId: Id<'user'> | null; email: string }, sender: Sender): Promise<never> => {
    await recordFailure(deps, { userId: refused.userId, email: refused.email, reason: refused.refusal, sender });
    throw new AppError({
      code: refused.refusal === 'provider-down' ? 'unavailable' : 'permission_denied',
      message: `The sign-in provider’s answer does not let you in: ${refused.refusal}.`,
      details: { reason: refused.refusal },
    });
  };

type Outcome =
  | { readonly user: User; readonly tenants: readonly { id: Id<'tenant'> }[]; readonly entries: readonly AuditEntry[] }
  | { readonly refusal: OidcRefusal; readonly userId: Id<'user'> | null };

interface Arrival {
  readonly issuer: string;
  readonly claims: OidcClaims;
  readonly sender: Sender;
}

async function findOrMakeAccount(deps: Dependencies, arrival: Arrival): Promise<Outcome> {
  const identity = { issuer: arrival.issuer, subject: arrival.claims.subject };
  const known = await deps.platformUnitOfWork.within({}, async ({ users, identities }) => {
    const userId = (await identities.findUserId(identity)) ?? null;
    return userId && users.find(userId);
  });
  if (known) return known.isDisabled ? { refusal: 'disabled-account', userId: known.id } : { user: known, tenants: [], entries: [] };
  const email = arrival.claims.verifiedEmail;
  if (!email) return { refusal: 'unverified-email', userId: null };
  const holder = await deps.platformUnitOfWork.within({}, ({ users }) => users.findByEmail(email));
  if (holder) return deps.platformUnitOfWork.within({ userId: holder.id }, (stores) => link(stores, holder, arrival));
  return deps.platformUnitOfWork.within({}, (stores) => makeAccount(stores, email, arrival));
}

async function link(stores: AuthStores, holder: User, { issuer, claims, sender }: Arrival): Promise<Outcome> {
  const { users, identities, signInSessions, passwordResets, tenants, rights, audit } = stores;
  const userId = holder.id;
  if (holder.isDisabled) return { refusal: 'disabled-account', userId };
  if (holder.isOperator) return { refusal: 'operator-account', userId };
  await identities.lock({ issuer, subject: claims.subject });
  const linkedTo = await identities.findUserId({ issuer, subject: claims.subject });
  if (linkedTo === userId) return { user: holder, tenants: [], entries: [] };
  if (linkedTo || (await identities.isLinked({ issuer, userId }))) return { refusal: 'other-identity', userId };
  await identities.add({ issuer, subject: claims.subject, userId });
  const hadPassword = (await users.findPasswordHash(userId)) !== null;
  await users.setPasswordHash(userId, null);
  await passwordResets.removeAllOf(userId);
  const signedOut = await signInSessions.revokeAllOf({ userId, except: null });
  await rights.ring({ tenantId: null, userId });
  const entry: AuditEntry = {
    type: 'sign-in.linked',
    actor: { kind: 'user', id: userId },
    target: { kind: 'user', id: userId, name: holder.email },
    details: { issuer, subject: claims.subject, hadPassword, signedOut, ip: sender.ip },
  };
  await audit.record(entry);
  return { user: holder, tenants: await tenants.listOfUser(userId), entries: [entry] };
}

async function makeAccount(stores: AuthStores, email: string, { issuer, claims, sender }: Arrival): Promise<Outcome> {
  const { users, identities, claimedGroups, audit } = stores;
  if ((await claimedGroups.listTenantIds(claims.groups ?? [])).length === 0) return { refusal: 'no-workspace', userId: null };
  await identities.lock({ issuer, subject: claims.subject });
  const since = await identities.findUserId({ issuer, subject: claims.subject });
  const made = since && (await users.find(since));
  if (made) return { user: made, tenants: [], entries: [] };
  const id = newId('user');
  const name = claims.name ?? email.slice(0, email.indexOf('@'));
  await users.add({ id, email, name, passwordHash: null, isOperator: false });
  await identities.add({ issuer, subject: claims.subject, userId: id });
  await audit.record({
    type: 'account.created',
    actor: { kind: 'system', id: 'sign-in' },
    target: { kind: 'user', id, name: email },
    details: { issuer, subject: claims.subject, ip: sender.ip },
  });
  return { user: { id, email, name, isDisabled: false, isOperator: false, timeZone: null }, tenants: [], entries: [] };
}
