import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { AppError, toUuid } from '#lib/kernel/index.ts';
import type { ProviderRecord, ProviderStore } from '#lib/models/index.ts';
import { appUser, modelProvider, tenant } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';
import { readPolicy, readPrice, readProviderTest, readSettings } from './model-rows.ts';

export function bindProviderStore({ transaction, scope, clock }: TenantBinding): ProviderStore {
  const { tenantId } = scope;
  const ofTenant = eq(modelProvider.tenantId, tenantId);
  const one = (id: ProviderRecord['id']) => and(ofTenant, eq(modelProvider.id, id));

  return {
    async list() {
      const rows = await transaction
        .select()
        .from(modelProvider)
        .where(ofTenant)
        .orderBy(asc(modelProvider.createdAt), asc(modelProvider.id));
      return rows.map(toRecord);
    },

    async nameSetters(ids) {
      if (ids.length === 0) return new Map();
      const rows = await transaction
        .select({ id: appUser.id, name: appUser.name })
        .from(appUser)
        .where(inArray(appUser.id, [...ids]));
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    async find(id) {
      const [row] = await transaction.select().from(modelProvider).where(one(id));
      return row ? toRecord(row) : null;
    },

    async put(provider) {
      const values = {
        kind: provider.kind,
        name: provider.name,
        baseUrl: provider.baseUrl,
        model: provider.model,
        settings: provider.settings,
        encryptedKey: provider.sealedKey?.box ?? null,
        keyId: provider.sealedKey?.keyId ?? null,
        keyHint: provider.keyHint,
        keySetAt: provider.keySet?.at ?? null,
        keySetBy: provider.keySet?.by ?? null,
        price: provider.price,
        priceSetAt: provider.priceSetAt,
        updatedAt: provider.updatedAt,
        updatedBy: scope.userId ?? null,
        lastTest: null,
        lastTestAt: null,
      };
      await orIfTaken(
        transaction
          .insert(modelProvider)
          .values({ tenantId, id: provider.id, createdAt: clock.now(), ...values })
          .onConflictDoUpdate({ target: modelProvider.id, set: values, setWhere: sql`${modelProvider.tenantId} = ${toUuid(tenantId)}` }),
        () => new AppError({ code: 'conflict', message: `There is a provider named ${provider.name} already.`, details: { path: 'name' } }),
      );
    },

    async setDefault(id) {
      await transaction
        .update(modelProvider)
        .set({ isDefault: false })
        .where(and(ofTenant, eq(modelProvider.isDefault, true)));
      await transaction.update(modelProvider).set({ isDefault: true }).where(one(id));
    },

    async recordTest(id, test) {
      await transaction
        .update(modelProvider)
        .set({ lastTest: test, lastTestAt: new Date(test.at) })
        .where(one(id));
    },

    async remove(id) {
      const rows = await transaction.delete(modelProvider).where(one(id)).returning({ id: modelProvider.id });
      return rows.length > 0;
    },

    async readPolicy() {
      const [row] = await transaction.select({ settings: tenant.settings }).from(tenant).where(eq(tenant.id, tenantId));
      return readPolicy(row?.settings);
    },

    async writePolicy(policy) {
      await transaction
        .update(tenant)
        .set({ settings: sql`${tenant.settings} || jsonb_build_object('models', ${JSON.stringify(policy)}::text::jsonb)` })
        .where(eq(tenant.id, tenantId));
    },
  };
}

function toRecord(row: typeof modelProvider.$inferSelect): ProviderRecord {
  return {
    id: row.id,
    kind: row.kind as ProviderRecord['kind'],
    name: row.name,
    baseUrl: row.baseUrl,
    model: row.model,
    settings: readSettings(row.settings),
    sealedKey: row.encryptedKey && row.keyId ? { box: row.encryptedKey, keyId: row.keyId } : null,
    keyHint: row.keyHint,
    keySet: row.keySetAt && { at: row.keySetAt, by: row.keySetBy },
    priceSetAt: row.priceSetAt,
    price: readPrice(row.price),
    isDefault: row.isDefault,
    updatedAt: row.updatedAt,
    lastTest: readProviderTest(row.lastTest),
  };
}
