import type { Usage } from './usage.ts';

/** Prices in micro-units of a currency (1,000,000 = one) for a million tokens of each class. */
export interface Price {
  readonly currency: string;
  readonly inputMicros: number;
  readonly cachedInputMicros: number;
  readonly cacheWriteMicros: number;
  readonly outputMicros: number;
}

/** What a call cost, in whole micro-units, rounded up. Null without a price: unknown is not free. */
export function costMicros(usage: Usage, price: Price | null): number | null {
  if (!price) return null;
  const million =
    usage.inputTokens * price.inputMicros +
    usage.cachedInputTokens * price.cachedInputMicros +
    usage.cacheWriteTokens * price.cacheWriteMicros +
    (usage.outputTokens + usage.reasoningTokens) * price.outputMicros;
  return Math.ceil(million / 1_000_000);
}
