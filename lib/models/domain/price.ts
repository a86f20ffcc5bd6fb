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

/** A price and the instant it counts from. */
export interface DatedPrice {
  readonly validFrom: Date;
  /** null: from then on there is none. */
  readonly price: Price | null;
}

/** Of prices in any order, the one that counts at an instant; null where none has begun. */
export function datedPriceAt(prices: readonly DatedPrice[], at: Date): DatedPrice | null {
  let counting: DatedPrice | null = null;
  for (const dated of prices) {
    if (dated.validFrom <= at && (counting === null || dated.validFrom > counting.validFrom)) counting = dated;
  }
  return counting;
}

/** What a call costs at an instant by a price and those that begin later: a run may outlast one. */
export function priceOf(
  { price, later }: { readonly price: Price | null; readonly later?: readonly DatedPrice[] },
  at: Date,
): Price | null {
  const begun = datedPriceAt(later ?? [], at);
  return begun ? begun.price : price;
}
