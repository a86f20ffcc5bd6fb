import { z } from 'zod';
import type { ModelPolicy, Price, ProviderTestView } from '#lib/models/index.ts';

/** Opaque columns of the tables of models, parsed on their way in. */
const price = z.object({
  currency: z.string(),
  inputMicros: z.number(),
  cachedInputMicros: z.number(),
  cacheWriteMicros: z.number(),
  outputMicros: z.number(),
});
const part = z.object({ ok: z.boolean(), detail: z.string(), ms: z.number() });
const providerTest = z.object({ at: z.string(), url: z.string(), reach: part, authenticate: part.nullable(), call: part.nullable() });
const tenantSettings = z.object({
  models: z.object({ isEnabled: z.boolean(), fallsBack: z.boolean(), fallbacks: z.array(z.string()).default([]) }).optional(),
});

export const readPrice = (value: unknown): Price | null => price.nullable().parse(value);
export const readSettings = (value: unknown): Record<string, number> => z.record(z.string(), z.number()).parse(value);
export const readProviderTest = (value: unknown): ProviderTestView | null => providerTest.nullable().parse(value);

/** Models are off until a workspace switches them on (requirement P-03). */
export function readPolicy(settings: unknown): ModelPolicy {
  return { fallbacks: [], ...(tenantSettings.parse(settings ?? {}).models ?? { isEnabled: false, fallsBack: true }) };
}
