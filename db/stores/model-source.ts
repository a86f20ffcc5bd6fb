import type { Row, Sql } from 'postgres';
import { z } from 'zod';
import { fromUuid, type Id, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import type { ModelPolicy, StoredProvider } from '#lib/models/index.ts';
import { readTogether } from '../pipelined.ts';
import { readPolicy, readPrice, readSettings } from './model-rows.ts';

const providerRow = z.object({
  id: z.string(),
  kind: z.enum(['openai', 'anthropic', 'compatible']),
  base_url: z.string().nullable(),
  model: z.string(),
  settings: z.unknown(),
  encrypted_key: z.string().nullable(),
  key_id: z.string().nullable(),
});
const priceRow = z.object({ provider_id: z.string(), valid_from: z.date(), price: z.unknown() });

/** A tenant's decision about models, its default provider and those to ask when that fails, in one round trip. */
export function createTenantModelsReader(sql: Sql) {
  return async (
    scope: TenantScope,
  ): Promise<{ policy: ModelPolicy; provider: StoredProvider | null; fallbacks: readonly StoredProvider[] }> => {
    const tenant = toUuid(scope.tenantId);
    const [tenants, providers, prices] = await readTogether(sql, scope, (tx) => [
      tx`select settings from tenant where id = ${tenant}`,
      tx`select * from model_provider where tenant_id = ${tenant}`,
      tx`select provider_id, valid_from, price from model_price where tenant_id = ${tenant}`,
    ]);
    const policy = readPolicy(tenants[0]?.settings);
    const byId = new Map(providers.map((row) => [fromUuid('modelProvider', String(row.id)), row]));
    const first = providers.find((row) => row.is_default === true);
    const others = policy.fallbacks
      .map((id) => byId.get(id as Id<'modelProvider'>))
      .filter((row): row is Row => row !== undefined && row !== first);
    const dated = Map.groupBy(
      prices.map((row) => priceRow.parse(row)),
      ({ provider_id }) => provider_id,
    );
    const withPrices = (row: Row) => toProvider(row, dated.get(String(row.id)) ?? []);
    return { policy, provider: first ? withPrices(first) : null, fallbacks: first ? others.map(withPrices) : [] };
  };
}

function toProvider(row: Row, prices: readonly z.infer<typeof priceRow>[]): StoredProvider {
  const found = providerRow.parse(row);
  return {
    id: fromUuid('modelProvider', found.id),
    kind: found.kind,
    baseUrl: found.base_url,
    model: found.model,
    settings: readSettings(found.settings),
    sealedKey: found.encrypted_key && found.key_id ? { box: found.encrypted_key, keyId: found.key_id } : null,
    prices: prices.map(({ valid_from, price }) => ({ validFrom: valid_from, price: readPrice(price) })),
  };
}
