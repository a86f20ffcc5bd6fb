import type { z } from 'zod';
import type { Id } from '#lib/kernel/index.ts';
import { AppError } from '#lib/kernel/index.ts';
import type { endSignInSessionsQuery, SignInSessionPage } from '#lib/tenancy/contract.ts';
import type { Account, PlatformUnitOfWork } from '#lib/tenancy/index.ts';
import type { AuthStores } from './ports.ts';

/** Where a person is signed in, the last seen first. */
export const listSignInSessions =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<AuthStores> }) =>
  async (account: Account): Promise<SignInSessionPage> => {
    const sessions = await deps.platformUnitOfWork.within({}, ({ signInSessions }) => signInSessions.list(account.userId));
    return {
      items: sessions.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => ({
        id,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        ip,
        userAgent,
        isCurrent: id === account.signInSessionId,
      })),
      nextCursor: null,
    };
  };

/** Ends a session of one's own from the next request on; its open streams are closed. Throws `not_found`. */
export const revokeSignInSession =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<AuthStores> }) =>
  async (account: Pick<Account, 'userId'>, id: Id<'signInSession'>): Promise<void> => {
    await deps.platformUnitOfWork.within({ userId: account.userId }, async ({ signInSessions, rights, audit }) => {
      if (!(await signInSessions.revoke({ id, userId: account.userId })))
        throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
      await rights.ring({ tenantId: null, userId: account.userId });
      await audit.record({ type: 'sign-in.session-revoked', target: { kind: 'sign-in-session', id } });
    });
  };

/** Ends a person's sessions, this one too unless it is to be kept; their open streams are closed. */
export const endSignInSessions =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<AuthStores> }) =>
  async (account: Account, { keep }: z.infer<typeof endSignInSessionsQuery>): Promise<void> => {
    const { userId, signInSessionId } = account;
    await deps.platformUnitOfWork.within({ userId }, async ({ signInSessions, rights, audit }) => {
      const ended = await signInSessions.revokeAllOf({ userId, except: keep === 'current' ? signInSessionId : null });
      await rights.ring({ tenantId: null, userId });
      await audit.record({
        type: 'sign-in.session-revoked',
        target: { kind: 'user', id: userId, name: account.email },
        details: { ended },
      });
    });
  };
