import type { Id } from '#lib/kernel/index.ts';
import type { Usage } from './usage.ts';

/** A tenant's model, as calls and records name it: what one tenant's server reports says nothing about another's. */
interface NamedModel {
  readonly tenantId: Id<'tenant'>;
  readonly provider: string;
  readonly model: string;
}

/** How many tokens a model reports for each that we count; 1 until it has reported. */
export interface TokenCalibration {
  factorOf(spec: NamedModel): number;
  /** What a provider reported for a prompt of `estimatedTokens`. Usage that we counted ourselves teaches nothing. */
  learn(spec: NamedModel, seen: { readonly estimatedTokens: number; readonly usage: Usage }): void;
}

/** Small prompts are mostly what providers add themselves. */
const WORTH_LEARNING_TOKENS = 200;
const KEPT_MODELS = 10_000;
/** Some servers report only what they had not seen before. */
const LOWEST = 0.8;
const HIGHEST = 3;
/** Of each new report. One that is higher counts at once: a prompt that does not fit is worse than one that could be longer. */
const WEIGHT = 0.2;

/** Corrects estimates by what providers report, for each model. It is of one process, and learns again within a call. */
export function createTokenCalibration(): TokenCalibration {
  const factors = new Map<string, number>();
  return {
    factorOf: (spec) => factors.get(keyOf(spec)) ?? 1,
    learn(spec, { estimatedTokens, usage }) {
      if (usage.isEstimated || estimatedTokens < WORTH_LEARNING_TOKENS) return;
      const reported = usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens;
      const ratio = Math.min(HIGHEST, Math.max(LOWEST, reported / estimatedTokens));
      const key = keyOf(spec);
      const known = factors.get(key) ?? 1;
      factors.delete(key);
      factors.set(key, ratio > known ? ratio : known + (ratio - known) * WEIGHT);
      if (factors.size > KEPT_MODELS) factors.delete(factors.keys().next().value ?? key);
    },
  };
}

function keyOf({ tenantId, provider, model }: NamedModel): string {
  return `${tenantId}/${provider}/${model}`;
}
