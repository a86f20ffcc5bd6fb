import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { AppError } from '#lib/kernel/index.ts';
import { ModelError } from '../domain/model-error.ts';
import type { EmbeddingModel } from '../ports.ts';
import { toModelError } from './ai-sdk-error.ts';
import type { ProviderAccess } from './create-language-model.ts';

/**
 * An embedding model of one of the providers we know, reached through the guarded door. Throws `invalid_request` for access
 * that is not complete, and for a provider that has no embeddings.
 */
export function createEmbeddingModel(access: Pick<ProviderAccess, 'spec' | 'baseUrl' | 'apiKey' | 'fetch'>): EmbeddingModel {
  const { spec, apiKey } = access;
  const provider = toProvider(access);
  return {
    spec: { provider: spec.provider, model: spec.model },
    async embed({ texts, signal }) {
      try {
        const { embeddings, usage } = await provider.doEmbed({ values: [...texts], abortSignal: signal });
        requireSound(embeddings, texts.length);
        return { vectors: embeddings, inputTokens: usage && usage.tokens > 0 ? usage.tokens : null };
      } catch (error) {
        throw toModelError(error, { signal, apiKey });
      }
    },
  };
}

function toProvider({ spec, baseUrl, apiKey, fetch }: Parameters<typeof createEmbeddingModel>[0]): EmbeddingModelV4 {
  if (spec.provider === 'anthropic') {
    throw new AppError({
      code: 'invalid_request',
      message: 'Anthropic offers no embedding models: choose a provider of another kind.',
      details: { path: 'providerId' },
    });
  }
  if (spec.provider === 'openai') {
    return createOpenAI({ ...(baseUrl !== null && { baseURL: baseUrl }), apiKey: apiKey ?? '', fetch }).embeddingModel(spec.model);
  }
  if (baseUrl === null) throw new AppError({ code: 'invalid_request', message: 'A compatible provider needs its base URL.' });
  return createOpenAICompatible({ name: 'compatible', baseURL: baseUrl, fetch, ...(apiKey !== null && { apiKey }) }).embeddingModel(
    spec.model,
  );
}

/** A list that is short, or ragged, would put passages in each other's places. */
function requireSound(vectors: readonly (readonly number[])[], wanted: number): void {
  const length = vectors[0]?.length ?? 0;
  const isSound =
    vectors.length === wanted && length > 0 && vectors.every((vector) => vector.length === length && vector.every(Number.isFinite));
  if (isSound) return;
  throw new ModelError({
    kind: 'invalid-request',
    message: `The provider answered ${vectors.length} vectors of ${length} numbers for ${wanted} texts, or not numbers alone.`,
  });
}
