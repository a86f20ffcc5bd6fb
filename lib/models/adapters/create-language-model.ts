import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { AppError } from '#lib/kernel/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import type { EndedModelCall } from '#lib/telemetry/index.ts';
import type { ModelSpec } from '../domain/model-spec.ts';
import type { LanguageModel } from '../ports.ts';
import { createAiSdkLanguageModel } from './ai-sdk-language-model.ts';

export interface ProviderAccess {
  readonly spec: ModelSpec;
  /** null: the provider's own address. */
  readonly baseUrl: string | null;
  /** null where none is needed: a model on the same machine, say. */
  readonly apiKey: string | null;
  readonly fetch: GuardedFetch;
  /** Hears of each call once it has ended, however it ended. */
  readonly onEnded?: (call: EndedModelCall) => void;
}

/** A model of one of the providers we know, reached through the guarded door. Throws `invalid_request` for access that is not complete. */
export function createLanguageModel(access: ProviderAccess): LanguageModel {
  const { spec, apiKey, onEnded } = access;
  return createAiSdkLanguageModel({ spec, provider: toProvider(access), apiKey, onEnded });
}

function toProvider({ spec, baseUrl, apiKey, fetch }: ProviderAccess): LanguageModelV4 {
  const at = baseUrl === null ? {} : { baseURL: baseUrl };
  if (spec.provider === 'anthropic') return createAnthropic({ ...at, apiKey: apiKey ?? '', fetch })(spec.model);
  if (spec.provider === 'openai') return createOpenAI({ ...at, apiKey: apiKey ?? '', fetch }).chat(spec.model);
  if (baseUrl === null) throw new AppError({ code: 'invalid_request', message: 'A compatible provider needs its base URL.' });
  return createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl,
    includeUsage: true,
    fetch,
    ...(apiKey !== null && { apiKey }),
  })(spec.model);
}
