/** Tokens of one call in classes that do not overlap: their sum is the total (known fault K31). */
export interface Usage {
  /** Input that was neither read from nor written to a cache. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  /** Output without reasoning. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** The provider reported nothing: counted by us. */
  readonly isEstimated: boolean;
}

export const NO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0, isEstimated: false };

export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens + usage.outputTokens + usage.reasoningTokens;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    isEstimated: a.isEstimated || b.isEstimated,
  };
}
