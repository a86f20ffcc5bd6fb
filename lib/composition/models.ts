import type { Database } from '#db/client.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createTenantModelsReader } from '#db/stores/model-source.ts';
import { type Config, createSecretBox } from '#lib/config/index.ts';
import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import { createEmbeddingModel } from '#lib/models/adapters/create-embedding-model.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { createGptTokenizerCounters } from '#lib/models/adapters/gpt-tokenizer-counter.ts';
import { createProviderTester } from '#lib/models/adapters/provider-tester.ts';
import {
  createBudget,
  createProvider,
  datedPriceAt,
  deleteBudget,
  deleteProvider,
  getModels,
  keyContext,
  listBudgets,
  listSessionBudgets,
  type ModelSource,
  type ModelSpec,
  type StoredProvider,
  setBudgetLimits,
  setModelPolicy,
  testProvider,
  updateProvider,
} from '#lib/models/index.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';
import { type EndedModelCall, metrics } from '#lib/telemetry/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';

function onEnded(call: EndedModelCall): void {
  metrics.agent.recordModelCall(call);
}

/** Models: the tenant's own provider, else the one the operator offers; only where the tenant has switched models on. */
export function composeModels(parts: { config: Config; clock: Clock; database: Database; unitOfWork: UnitOfWork<TenantStores> }) {
  const { config, clock, unitOfWork } = parts;
  const guardedFetch = createGuardedFetch(readAddressPolicy(config.outboundAllow));
  const secretBox = createSecretBox(config.secret);
  const readTenantModels = createTenantModelsReader(parts.database.sql);
  const offered = config.model && { kind: config.model.kind, model: config.model.model };
  const offeredModel =
    config.model &&
    createLanguageModel({
      spec: { provider: config.model.kind, model: config.model.model },
      ...config.model,
      fetch: guardedFetch,
      onEnded,
    });

  function open(tenantId: Id<'tenant'>, provider: StoredProvider) {
    const apiKey = provider.sealedKey && secretBox.open(provider.sealedKey, keyContext(tenantId, provider.id));
    return {
      apiKey,
      model: createLanguageModel({ spec: toSpec(provider), baseUrl: provider.baseUrl, apiKey, fetch: guardedFetch, onEnded }),
    };
  }

  function openEmbedding(tenantId: Id<'tenant'>, { provider, model }: { provider: StoredProvider; model: string }) {
    const apiKey = provider.sealedKey && secretBox.open(provider.sealedKey, keyContext(tenantId, provider.id));
    return createEmbeddingModel({ spec: { provider: provider.kind, model }, baseUrl: provider.baseUrl, apiKey, fetch: guardedFetch });
  }

  const modelSource: ModelSource = {
    async find(scope) {
      const { policy, provider, fallbacks } = await readTenantModels(scope);
      if (!provider && !offeredModel) return { status: 'unavailable', code: 'no-model' };
      if (!policy.isEnabled) return { status: 'unavailable', code: 'model-disabled' };
      const { fallsBack } = policy;
      const now = clock.now();
      const priced = (one: StoredProvider) => ({
        model: open(scope.tenantId, one).model,
        price: datedPriceAt(one.prices, now)?.price ?? null,
        later: one.prices.filter(({ validFrom }) => validFrom > now),
      });
      if (provider) return { status: 'available', ...priced(provider), fallbacks: fallbacks.map(priced), fallsBack };
      return offeredModel
        ? { status: 'available', model: offeredModel, price: null, fallsBack }
        : { status: 'unavailable', code: 'no-model' };
    },
  };
  const manage = { unitOfWork, clock, offered, sealer: secretBox, tester: createProviderTester({ fetch: guardedFetch, open }) };
  const budgets = { unitOfWork, clock };
  return {
    modelSource,
    counters: createGptTokenizerCounters(),
    guardedFetch,
    openEmbedding,
    useCases: {
      getModels: getModels.bind(null, manage),
      setModelPolicy: setModelPolicy.bind(null, manage),
      createProvider: createProvider.bind(null, manage),
      updateProvider: updateProvider.bind(null, manage),
      deleteProvider: deleteProvider.bind(null, manage),
      testProvider: testProvider.bind(null, manage),
      listBudgets: listBudgets.bind(null, budgets),
      listSessionBudgets: listSessionBudgets.bind(null, budgets),
      createBudget: createBudget.bind(null, budgets),
      setBudgetLimits: setBudgetLimits.bind(null, budgets),
      deleteBudget: deleteBudget.bind(null, budgets),
      /** The name of the model that a run of this person would use now, as its answers say it; null where the planner answers. */
      async findModelInUse(actor: Actor): Promise<string | null> {
        const found = await modelSource.find(actor.scope);
        return found.status === 'available' ? found.model.spec.model : null;
      },
    },
  };
}

/** Names of settings that a provider may be given; any other is not sent. */
function toSpec({ kind, model, settings }: StoredProvider): ModelSpec {
  const { temperature, topP, topK, maxOutputTokens, seed, contextTokens } = settings;
  return {
    provider: kind,
    model,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(seed !== undefined && { seed }),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}
