import type { Database } from '#db/client.ts';
import { createTenantModelsReader } from '#db/stores/model-source.ts';
import { type Config, createSecretBox } from '#lib/config/index.ts';
import type { Id, TenantScope } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import {
  keyContext,
  type LanguageModel,
  type ModelChoice,
  type ModelSource,
  type ModelSpec,
  type StoredProvider,
} from '#lib/models/index.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';

/** Models: the tenant's own provider, else the one the operator offers; only where the tenant has switched models on. */
export function composeModels(parts: { config: Config; database: Database }) {
  const { config } = parts;
  const guardedFetch = createGuardedFetch(readAddressPolicy(config.outboundAllow));
  const secretBox = createSecretBox(config.secret);
  const readTenantModels = createTenantModelsReader(parts.database.sql);
  const offered =
    config.model &&
    createLanguageModel({ spec: { provider: config.model.kind, model: config.model.model }, ...config.model, fetch: guardedFetch });

  function open(tenantId: Id<'tenant'>, provider: StoredProvider): LanguageModel {
    const apiKey = provider.sealedKey && secretBox.open(provider.sealedKey, keyContext(tenantId, provider.id));
    return createLanguageModel({ spec: toSpec(provider), baseUrl: provider.baseUrl, apiKey, fetch: guardedFetch });
  }

  const modelSource: ModelSource = {
    async find(scope: TenantScope): Promise<ModelChoice> {
      const { isEnabled, fallsBack, provider } = await readTenantModels(scope);
      if (!provider && !offered) return { status: 'unavailable', code: 'no-model' };
      if (!isEnabled) return { status: 'unavailable', code: 'model-disabled' };
      if (provider) return { status: 'available', model: open(scope.tenantId, provider), price: provider.price, fallsBack };
      return offered ? { status: 'available', model: offered, price: null, fallsBack } : { status: 'unavailable', code: 'no-model' };
    },
  };
  return { modelSource, secretBox, guardedFetch, open };
}

/** Names of settings that a provider may be given; any other is not sent. */
function toSpec({ kind, model, settings }: StoredProvider): ModelSpec {
  const { temperature, topP, topK, maxOutputTokens, seed } = settings;
  return {
    provider: kind,
    model,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(seed !== undefined && { seed }),
  };
}
