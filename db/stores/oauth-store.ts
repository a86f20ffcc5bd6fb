import { and, count, eq, isNull, lt } from 'drizzle-orm';
import type { Clock } from '#lib/kernel/index.ts';
import type { OAuthStore } from '#lib/oauth/index.ts';
import { oauthClient, oauthCode, oauthRefresh } from '../schema/index.ts';
import type { Transaction } from '../tenant-binding.ts';

export function bindOAuthStore({ transaction, clock }: { transaction: Transaction; clock: Clock }): OAuthStore {
  return {
    async addClient({ redirectUris, ...client }) {
      await transaction.insert(oauthClient).values({ ...client, redirectUris: [...redirectUris] });
    },

    async findClient(id) {
      const [row] = await transaction.select().from(oauthClient).where(eq(oauthClient.id, id));
      return row ? { id: row.id, name: row.name, redirectUris: row.redirectUris, createdAt: row.createdAt } : null;
    },

    async pruneClients(before) {
      await transaction.delete(oauthClient).where(and(eq(oauthClient.isUsed, false), lt(oauthClient.createdAt, before)));
      const [row] = await transaction.select({ left: count() }).from(oauthClient).where(eq(oauthClient.isUsed, false));
      return row?.left ?? 0;
    },

    async addCode(code) {
      const now = clock.now();
      // What is over is over; a code that was exchanged is known until its key would have ended.
      await transaction.delete(oauthCode).where(lt(oauthCode.expiresAt, new Date(now.getTime() - 3_600_000)));
      await transaction.delete(oauthRefresh).where(lt(oauthRefresh.expiresAt, now));
      await transaction.update(oauthClient).set({ isUsed: true }).where(eq(oauthClient.id, code.clientId));
      await transaction.insert(oauthCode).values(code);
    },

    async findCode(hash) {
      const [row] = await transaction.select().from(oauthCode).where(eq(oauthCode.hash, hash));
      return row ?? null;
    },

    async takeCode(hash, apiKeyId) {
      const taken = await transaction
        .update(oauthCode)
        .set({ apiKeyId })
        .where(and(eq(oauthCode.hash, hash), isNull(oauthCode.apiKeyId)))
        .returning({ hash: oauthCode.hash });
      return taken.length > 0;
    },

    async addRefresh(token) {
      await transaction.insert(oauthRefresh).values(token);
    },

    listKeysOf: (userId) =>
      transaction
        .selectDistinct({ tenantId: oauthRefresh.tenantId, apiKeyId: oauthRefresh.apiKeyId })
        .from(oauthRefresh)
        .where(eq(oauthRefresh.userId, userId)),

    async findRefresh(hash) {
      const [row] = await transaction.select().from(oauthRefresh).where(eq(oauthRefresh.hash, hash));
      return row ? { ...row, isUsed: row.usedAt !== null } : null;
    },

    async takeRefresh(hash) {
      const taken = await transaction
        .update(oauthRefresh)
        .set({ usedAt: clock.now() })
        .where(and(eq(oauthRefresh.hash, hash), isNull(oauthRefresh.usedAt)))
        .returning({ hash: oauthRefresh.hash });
      return taken.length > 0;
    },
  };
}
