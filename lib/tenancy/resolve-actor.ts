import { AppError, type Id } from '#lib/kernel/index.ts';
import { slug as slugShape } from './contract.ts';
import type { Account } from './domain/account.ts';
import { type Actor, viewedAs } from './domain/actor.ts';
import { isPermission, type Permission } from './domain/permission.ts';
import { isReservedSlug } from './domain/reserved-slug.ts';
import type { Credentials, MemberRights, RightsReader } from './ports.ts';

/**
 * Proves the sender a member of the tenant in the URL. Throws `unauthenticated` when the credentials serve nowhere and
 * `not_found` when they do not serve here: a tenant of others, a closed one and one that never was give the same answer.
 * Members of a tenant that the operator has suspended are told so: `tenant_suspended`. Without a tenant (null) it is the
 * one that an API key belongs to; a sign-in belongs to none. Who looks as another role does is that, unless `asOneself`.
 */
export const resolveActor =
  (deps: { rightsReader: RightsReader }) =>
  async (
    tenantSlug: string | null,
    credentials: Credentials | null,
    { asOneself = false }: { asOneself?: boolean } = {},
  ): Promise<Actor> => {
    if (!credentials || (tenantSlug === null && credentials.kind === 'sign-in')) throw unauthenticated();
    // An unusable slug is looked up all the same, as one that cannot exist: who is not signed in must hear that first.
    const slug = tenantSlug === null || (slugShape.safeParse(tenantSlug).success && !isReservedSlug(tenantSlug)) ? tenantSlug : '';
    const found =
      credentials.kind === 'api-key'
        ? await deps.rightsReader.readByApiKey({ slug, hash: credentials.hash })
        : await deps.rightsReader.readBySignIn({
            slug: slug ?? '',
            userId: credentials.userId,
            signInSessionId: credentials.signInSessionId,
          });
    if (!found) throw unauthenticated();
    if (!found.member) throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
    if (found.member.isTenantSuspended) throw suspended();
    const actor = toActor(found.member);
    if (credentials.kind === 'api-key') return actor;
    const signedIn = { ...actor, signInSessionId: credentials.signInSessionId };
    const { viewedRole } = found.member;
    return viewedRole && !asOneself ? viewedAs(signedIn, viewedRole) : signedIn;
  };

/**
 * The same reading for work that goes on without a request: the rights that count are those of now, not of when the run
 * was asked for. Throws `permission_denied` when the person, or the API key that asked, may no longer act in the tenant.
 */
export const actorOfRun =
  (deps: { rightsReader: RightsReader }) =>
  async (run: { tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: Id<'apiKey'> | null }): Promise<Actor> => {
    const member = await deps.rightsReader.readOfRun(run);
    if (member?.isTenantSuspended) throw new AppError({ code: 'permission_denied', message: suspended().message });
    if (member) return toActor(member);
    throw new AppError({ code: 'permission_denied', message: 'Whoever asked for this run may no longer act here.' });
  };

/** The signed-in person, outside any tenant. Throws `unauthenticated`; an API key is no person and has no account. */
export const getAccount =
  (deps: { rightsReader: RightsReader }) =>
  async (credentials: Credentials | null): Promise<Account> => {
    const account = credentials?.kind === 'sign-in' ? await deps.rightsReader.readAccount(credentials) : null;
    if (!account) throw unauthenticated();
    return account;
  };

function toActor(member: MemberRights): Actor {
  return {
    kind: member.apiKey ? 'api-key' : 'user',
    scope: { tenantId: member.tenantId, userId: member.userId, ...(member.apiKey && { apiKeyId: member.apiKey.id }) },
    ...(member.apiKey ? { apiKeyId: member.apiKey.id } : {}),
    displayName: member.name,
    email: member.email,
    roleKey: member.roleKey,
    roleName: member.roleName,
    permissions: permissionsOf(member),
    locale: member.locale === 'en' || member.locale === 'zh-CN' ? member.locale : null,
    timeZone: member.timeZone,
  };
}

/** A key has what its scopes and its maker's role have in common; names that are no permission any more give nothing. */
function permissionsOf({ rolePermissions, apiKey }: MemberRights): ReadonlySet<Permission> {
  const granted = rolePermissions.filter(isPermission);
  return new Set(apiKey ? granted.filter((permission) => apiKey.scopes.includes(permission)) : granted);
}

function suspended(): AppError {
  return new AppError({
    code: 'tenant_suspended',
    message: 'The operator of this server has suspended this workspace. Nothing in it is lost; ask them to resume it.',
  });
}

function unauthenticated(): AppError {
  return new AppError({ code: 'unauthenticated', message: 'Sign in first, or send an API key that is valid.' });
}
