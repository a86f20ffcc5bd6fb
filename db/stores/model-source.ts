import type { Sql } from 'postgres';
import { z } from 'zod';
import { fromUuid, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import type { StoredProvider } from '#lib/models/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';

const priceShape = z.object({
  currency: z.string(),
  inputMicros: z.number(),
  cachedInputMicros: z.number(),
  cacheWriteMicros: z.number(),
  outputMicros: z.number(),
});

const providerRow = z.object({
  id: z.string(),
  kind: z.enum(['openai', 'anthropic', 'compatible']),
  base_url: z.string().nullable(),
  model: z.string(),
  settings: z.record(z.string(), z.number()),
  encrypted_key: z.string().nullable(),
  key_id: z.string().nullable(),
  price: priceShape.nullable(),
  updated_at: z.date(),
});

/** What a tenant has decided about models; see `lib/models/domain/model-policy.ts`. */
const policyShape = z.object({ isEnabled: z.boolean().optional(), fallsBack: z.boolean().optional() });

export interface TenantModels {
  readonly isEnabled: boolean;
  readonly fallsBack: boolean;
  readonly provider: (StoredProvider & { readonly updatedAt: Date }) | null;
}

/** A tenant's decision and its default provider, in one round trip. */
export function createTenantModelsReader(sql: Sql) {
  return async (scope: TenantScope): Promise<TenantModels> => {
    const tenant = toUuid(scope.tenantId);
    const [tenants, providers] = await inOneRoundTrip(sql, scope, (tx) => [
      tx`select settings->'models' as policy from tenant where id = ${tenant}`,
      tx`select * from model_provider where tenant_id = ${tenant} and is_default limit 1`,
    ]);
    const policy = policyShape.parse(tenants[0]?.policy ?? {});
    const found = providers[0] ? providerRow.parse(providers[0]) : null;
    return {
      isEnabled: policy.isEnabled ?? false,
      fallsBack: policy.fallsBack ?? true,
      provider: found && {
        id: fromUuid('modelProvider', found.id),
        kind: found.kind,
        baseUrl: found.base_url,
        model: found.model,
        settings: found.settings,
        sealedKey: found.encrypted_key && found.key_id ? { box: found.encrypted_key, keyId: found.key_id } : null,
        price: found.price,
        updatedAt: found.updated_at,
      },
    };
  };
}
