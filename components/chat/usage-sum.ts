import type { UsageView } from '#lib/conversations/contract.ts';
import type { ModelCallPart } from './run-progress.ts';

/** The classes of tokens in the order they are told; none is part of another, so they sum to the total. */
export const TOKEN_CLASSES = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'reasoningTokens'] as const;

/** What the calls of a run under way have used so far; null where no model took part. The server sums stored ones alike. */
export function sumUsage(calls: readonly ModelCallPart[]): UsageView | null {
  if (calls.length === 0) return null;
  const sumOf = (tokens: (typeof TOKEN_CLASSES)[number]) => calls.reduce((sum, { usage }) => sum + usage[tokens], 0);
  const classes = {
    inputTokens: sumOf('inputTokens'),
    cachedInputTokens: sumOf('cachedInputTokens'),
    cacheWriteTokens: sumOf('cacheWriteTokens'),
    outputTokens: sumOf('outputTokens'),
    reasoningTokens: sumOf('reasoningTokens'),
  };
  return {
    ...classes,
    totalTokens: TOKEN_CLASSES.reduce((sum, tokens) => sum + classes[tokens], 0),
    isEstimated: calls.some(({ usage }) => usage.isEstimated),
    ...(calls.some(({ context }) => context?.isConcise) && { isConcise: true }),
    cost: sumCost(calls),
    models: [...new Set(calls.map(({ model }) => model))],
  };
}

/** What several answers have used together; null where no model took part in any. */
export function sumStoredUsage(usages: readonly UsageView[]): UsageView | null {
  if (usages.length === 0) return null;
  const sumOf = (tokens: (typeof TOKEN_CLASSES)[number] | 'totalTokens') => usages.reduce((sum, usage) => sum + usage[tokens], 0);
  return {
    inputTokens: sumOf('inputTokens'),
    cachedInputTokens: sumOf('cachedInputTokens'),
    cacheWriteTokens: sumOf('cacheWriteTokens'),
    outputTokens: sumOf('outputTokens'),
    reasoningTokens: sumOf('reasoningTokens'),
    totalTokens: sumOf('totalTokens'),
    isEstimated: usages.some(({ isEstimated }) => isEstimated),
    cost: sumCost(usages),
    models: [...new Set(usages.flatMap(({ models }) => models))],
  };
}

/** A cost only where every call has one, all in one currency. */
function sumCost(calls: readonly Pick<UsageView, 'cost'>[]): UsageView['cost'] {
  const costs = calls.map(({ cost }) => cost).filter((cost) => cost !== null);
  const currency = costs[0]?.currency;
  if (currency === undefined || costs.length < calls.length || costs.some((cost) => cost.currency !== currency)) return null;
  return { currency, micros: costs.reduce((sum, { micros }) => sum + micros, 0) };
}
