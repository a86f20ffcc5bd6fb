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

export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens + usage.outputTokens + usage.reasoningTokens;
}
