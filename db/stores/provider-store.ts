import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { AppError, toUuid } from '#lib/kernel/index.ts';
import type { DatedPrice, ProviderRecord, ProviderStore } from '#lib/models/index.ts';
import { appUser, modelPrice, modelProvider, tenant } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';
import { readPolicy, readPrice, readProviderTest, readSettings } from './model-rows.ts';

export function bindProviderStore({ transaction, scope, clock }: TenantBinding): ProviderStore {
  const { tenantId } = scope;
  const ofTenant = eq(modelProvider.tenantId, tenantId);
  const ofTenantPrices = eq(modelPrice.tenantId, tenantId);
  const one = (id: ProviderRecord['id']) => and(ofTenant, eq(modelProvider.id, id));
  const pricesOf = async (which: SQL | undefined) => {
    const rows = await transaction.select().from(modelPrice).where(which);
    return Map.groupBy(rows, ({ providerId }) => providerId);
  };

  return {
    async list() {
      const rows = await transaction
        .select()
        .from(modelProvider)
        .where(ofTenant)
        .orderBy(asc(modelProvider.createdAt), asc(modelProvider.id));
      const prices = await pricesOf(ofTenantPrices);
      return rows.map((row) => toRecord(row, prices.get(row.id)));
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
      if (!row) return null;
      return toRecord(row, (await pricesOf(and(ofTenantPrices, eq(modelPrice.providerId, id)))).get(id));
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

    async setPrice(providerId, { validFrom, price }) {
      const set = { price, setAt: clock.now(), setBy: scope.userId ?? null };
      await transaction
        .insert(modelPrice)
        .values({ tenantId, providerId, validFrom, ...set })
        .onConflictDoUpdate({ target: [modelPrice.tenantId, modelPrice.providerId, modelPrice.validFrom], set });
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

function toRecord(row: typeof modelProvider.$inferSelect, prices: readonly (typeof modelPrice.$inferSelect)[] = []): ProviderRecord {
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
    prices: prices.map(({ validFrom, price }): DatedPrice => ({ validFrom, price: readPrice(price) })),
    isDefault: row.isDefault,
    updatedAt: row.updatedAt,
    lastTest: readProviderTest(row.lastTest),
  };
}
