import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import type { ApiKey, ApiKeyStore } from '#lib/tenancy/index.ts';
import { apiKey, apiKeyHash, appUser } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

export function bindApiKeyStore({ transaction, scope: { tenantId }, clock }: TenantBinding): ApiKeyStore {
  const select = () =>
    transaction.select({ key: apiKey, maker: appUser.name }).from(apiKey).innerJoin(appUser, eq(appUser.id, apiKey.userId));
  return {
    async list({ before, limit }) {
      const rows = await select()
        .where(and(eq(apiKey.tenantId, tenantId), before ? lt(apiKey.id, before) : undefined))
        .orderBy(desc(apiKey.id))
        .limit(limit);
      return rows.map(toApiKey);
    },
    async find(id) {
      const [row] = await select().where(and(eq(apiKey.tenantId, tenantId), eq(apiKey.id, id)));
      return row ? toApiKey(row) : null;
    },
    async add({ hash, ...key }) {
      await transaction.insert(apiKey).values({ ...key, scopes: [...key.scopes], tenantId, createdAt: clock.now() });
      await transaction.insert(apiKeyHash).values({ hash, tenantId, apiKeyId: key.id });
    },
    async renew(id, { hash, hint, expiresAt }) {
      const renewed = await transaction
        .update(apiKey)
        .set({ hint, expiresAt })
        .where(and(eq(apiKey.tenantId, tenantId), eq(apiKey.id, id), isNull(apiKey.revokedAt)))
        .returning({ id: apiKey.id });
      if (renewed.length === 0) return false;
      await transaction.delete(apiKeyHash).where(and(eq(apiKeyHash.tenantId, tenantId), eq(apiKeyHash.apiKeyId, id)));
      await transaction.insert(apiKeyHash).values({ hash, tenantId, apiKeyId: id });
      return true;
    },
    async revoke(id, at) {
      await transaction
        .update(apiKey)
        .set({ revokedAt: at })
        .where(and(eq(apiKey.tenantId, tenantId), eq(apiKey.id, id), isNull(apiKey.revokedAt)));
    },
    async revokeAllOf(userId, at) {
      await transaction
        .update(apiKey)
        .set({ revokedAt: at })
        .where(and(eq(apiKey.tenantId, tenantId), eq(apiKey.userId, userId), isNull(apiKey.revokedAt)));
    },
  };
}

function toApiKey({ key, maker }: { key: typeof apiKey.$inferSelect; maker: string }): ApiKey {
  const { id, name, hint, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  return { id, name, hint, scopes, createdBy: { userId: key.userId, name: maker }, createdAt, expiresAt, lastUsedAt, revokedAt };
}
