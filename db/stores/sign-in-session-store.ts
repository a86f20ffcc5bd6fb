import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm';
import type { SignInSessionStore } from '#lib/auth/index.ts';
import { signInSession } from '../schema/index.ts';
import type { PlatformBinding } from '../tenant-binding.ts';

export function bindSignInSessionStore({ transaction, clock }: PlatformBinding): SignInSessionStore {
  const serving = () => and(isNull(signInSession.revokedAt), gt(signInSession.expiresAt, clock.now()));
  return {
    async add(session) {
      await transaction.insert(signInSession).values(session);
    },
    async list(userId) {
      const rows = await transaction
        .select()
        .from(signInSession)
        .where(and(eq(signInSession.userId, userId), serving()))
        .orderBy(desc(signInSession.lastSeenAt));
      return rows.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => ({ id, createdAt, lastSeenAt, ip, userAgent }));
    },
    async revoke({ id, userId }) {
      const rows = await transaction
        .update(signInSession)
        .set({ revokedAt: clock.now() })
        .where(and(eq(signInSession.id, id), eq(signInSession.userId, userId), serving()))
        .returning({ id: signInSession.id });
      return rows.length > 0;
    },
    async view({ id, userId, roleId }) {
      const rows = await transaction
        .update(signInSession)
        .set({ viewedRoleId: roleId })
        .where(and(eq(signInSession.id, id), eq(signInSession.userId, userId), serving()))
        .returning({ id: signInSession.id });
      return rows.length > 0;
    },
    async revokeAllOf({ userId, except }) {
      const rows = await transaction
        .update(signInSession)
        .set({ revokedAt: clock.now() })
        .where(and(eq(signInSession.userId, userId), except ? ne(signInSession.id, except) : undefined, serving()))
        .returning({ id: signInSession.id });
      return rows.length;
    },
  };
}
