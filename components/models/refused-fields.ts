import { z } from 'zod';
import type { RequestFailure } from '#components/api/request.ts';
import type { DraftField, DraftProblems } from './provider-draft.ts';

const details = z.object({ path: z.string() });
const bodyDetails = z.object({ problems: z.array(z.object({ path: z.string(), message: z.string() })) });

/** The form's field for each path of a provider's request. */
const FIELDS: { readonly [Path in string]?: DraftField } = {
  kind: 'kind',
  name: 'name',
  baseUrl: 'baseUrl',
  model: 'model',
  apiKey: 'apiKey',
  'settings.temperature': 'temperature',
  'settings.topP': 'topP',
  'settings.topK': 'topK',
  'settings.maxOutputTokens': 'maxOutputTokens',
  'settings.seed': 'seed',
  'settings.contextTokens': 'contextTokens',
  'price.currency': 'currency',
  'price.inputMicros': 'input',
  'price.cachedInputMicros': 'cachedInput',
  'price.cacheWriteMicros': 'cacheWrite',
  'price.outputMicros': 'output',
};

/** The server's refusal, put to the fields it speaks of; empty where it speaks of none. */
export function refusedFields(failure: RequestFailure): DraftProblems {
  if (failure.code === 'conflict') return { name: { key: 'nameTaken' } };
  if (failure.code !== 'invalid_request') return {};
  const one = details.safeParse(failure.details);
  const many = bodyDetails.safeParse(failure.details);
  const named = many.success ? many.data.problems : one.success ? [{ path: one.data.path, message: failure.message }] : [];
  return Object.fromEntries(
    named.flatMap(({ path, message }) => {
      const field = FIELDS[path.replace(/^body\./, '')];
      return field ? [[field, { key: 'refused', message }]] : [];
    }),
  );
}
