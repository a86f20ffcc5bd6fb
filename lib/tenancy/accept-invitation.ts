import type { z } from 'zod';
import { AppError, type Clock, type Id, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { acceptInvitationBody, OfferedInvitationView } from './contract.ts';
import type { Account } from './domain/account.ts';
import type {
  Invitation,
  InvitationMint,
  PasswordHasher,
  PlatformStores,
  PlatformUnitOfWork,
  RightsReader,
  TenancyStores,
  Tenant,
} from './ports.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork<Pick<TenancyStores, 'tenants' | 'users' | 'members' | 'invitations' | 'audit'>>;
  readonly platformUnitOfWork: PlatformUnitOfWork<PlatformStores>;
  readonly rightsReader: RightsReader;
  readonly invitationMint: InvitationMint;
}

interface Found {
  readonly tenant: Tenant;
  readonly invitation: Invitation;
}

/** What a link offers; null when it serves nothing: never made, used, withdrawn, expired, or worth nothing any more. */
export const findOfferedInvitation =
  (deps: Dependencies) =>
  async (token: string): Promise<OfferedInvitationView | null> => {
    const found = await findOpen(deps, token);
    if (!found) return null;
    const { tenant, invitation } = found;
    return {
      tenant: tenant.name,
      role: { key: invitation.role.key, name: invitation.role.name },
      invitedBy: invitation.invitedBy.name,
      expiresAt: invitation.expiresAt.toISOString(),
    };
  };

/**
 * Uses a link up: whoever is signed in becomes a member, or a new person with an account of their own. Throws `not_found`,
 * the same for every link that does not serve; `member_exists` for a member; `email_taken` for a new person whose address has
 * an account, who signs in first; `rate_limited` where addresses are tried.
 */
export const acceptInvitation =
  (
    deps: Dependencies & {
      readonly passwordHasher: PasswordHasher;
      /** Counts tries by address: a link tells its holder whether an address has an account, and must not tell it of many. */
      readonly attempts: { consume(attempt: { email: string; ip: string }): Promise<void> };
    },
  ) =>
  async (
    request: z.infer<typeof acceptInvitationBody>,
    sender: { readonly account: Account | null; readonly ip: string },
  ): Promise<{ slug: string }> => {
    const open = await findOpen(deps, request.token);
    if (!open) throw unusable();
    const { account } = sender;
    const person = account ? null : request.person;
    if (!account && !person) throw new AppError({ code: 'unauthenticated', message: 'Sign in first, or say who you are.' });
    if (person) await deps.attempts.consume({ email: `invitation ${open.invitation.id}`, ip: sender.ip });
    // Hashed before the transaction begins, so that no connection waits for it.
    const newcomer = person && {
      id: newId('user'),
      email: person.email,
      name: person.name,
      passwordHash: await deps.passwordHasher.hash(person.password),
      isOperator: false,
    };
    const userId = account?.userId ?? newcomer?.id;
    if (!userId) throw unusable();
    return deps.unitOfWork.within({ tenantId: open.tenant.id, userId }, async ({ tenants, users, members, invitations, audit }) => {
      await tenants.lockRights(open.tenant.id);
      // Whatever fails below takes the new account back with it.
      if (newcomer) await users.add(newcomer);
      const invitation = await invitations.find(open.invitation.id);
      if (!invitation || !(await invitations.use(invitation.id, { userId, at: deps.clock.now() }))) throw unusable();
      if (await members.find(userId))
        throw new AppError({
          code: 'member_exists',
          message: 'You are a member of this workspace already.',
          details: { slug: open.tenant.slug },
        });
      await members.add({ userId, roleId: invitation.role.id });
      const target = { kind: 'user', id: userId, name: account?.email ?? newcomer?.email ?? '' };
      const details = { role: invitation.role.key, invitation: invitation.id, invitedBy: invitation.invitedBy.userId };
      const actor = { kind: 'user', id: userId } as const;
      await audit.record({
        type: 'invitation.accepted',
        actor,
        target: { kind: 'invitation', id: invitation.id, name: invitation.note },
        details,
      });
      await audit.record({ type: 'member.added', actor, target, details });
      return { slug: open.tenant.slug };
    });
  };

async function findOpen(deps: Dependencies, token: string): Promise<Found | null> {
  const hash = deps.invitationMint.findHash(token);
  const place = hash ? await deps.platformUnitOfWork.within({}, ({ invitationHashes }) => invitationHashes.find(hash)) : null;
  if (!place) return null;
  const { tenantId, invitationId } = place;
  const found = await deps.unitOfWork.within({ tenantId }, async ({ tenants, invitations }) => ({
    tenant: await tenants.find(tenantId),
    invitation: await invitations.find(invitationId),
  }));
  const { tenant, invitation } = found;
  if (!tenant || !invitation || isOver(invitation, deps.clock.now())) return null;
  return (await isStillMeant(deps, tenantId, invitation)) ? { tenant, invitation } : null;
}

function isOver({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Date): boolean {
  return acceptedAt !== null || revokedAt !== null || expiresAt <= now;
}

/** Nobody hands on more than they have: what counts is what the inviter may do now. Operators found workspaces for others. */
async function isStillMeant(deps: Dependencies, tenantId: Id<'tenant'>, { invitedBy, role }: Invitation): Promise<boolean> {
  const member = await deps.rightsReader.readOfRun({ tenantId, userId: invitedBy.userId, apiKeyId: null });
  if (member) return ['member:manage', ...role.permissions].every((permission) => member.rolePermissions.includes(permission));
  return deps.platformUnitOfWork.within({}, ({ users }) => users.isOperator(invitedBy.userId));
}

function unusable(): AppError {
  return new AppError({ code: 'not_found', message: 'This invitation cannot be used: it is mistyped, used, withdrawn or too old.' });
}
