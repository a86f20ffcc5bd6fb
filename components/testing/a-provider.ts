import type { ModelProviderView } from '#lib/models/contract.ts';

/** A provider as the API shows it, for components under test. */
export const PROVIDER: ModelProviderView = {
  id: 'mdl_1',
  kind: 'compatible',
  name: 'Team key',
  baseUrl: 'http://models.test/v1',
  model: 'small-1',
  settings: { temperature: 0.2 },
  keySet: { at: '2026-01-01T10:00:00Z', by: 'Li' },
  priceSetAt: '2026-01-01T10:00:00Z',
  laterPrices: [],
  keyHint: '7890',
  price: { currency: 'EUR', inputMicros: 2_500_000, cachedInputMicros: 250_000, cacheWriteMicros: 3_000_000, outputMicros: 10_000_000 },
  isDefault: true,
  updatedAt: '2026-01-01T11:00:00Z',
  lastTest: null,
};
