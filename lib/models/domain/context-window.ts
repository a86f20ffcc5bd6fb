import type { ModelSpec } from './model-spec.ts';

/** How much a call of a model may hold. All in tokens. */
export interface TokenBudget {
  /** Everything the model can hold, its answer included. */
  readonly windowTokens: number;
  /** Kept free for the answer. */
  readonly answerTokens: number;
  /** What a prompt may take: instructions, summary, history, tools. */
  readonly limitTokens: number;
}

/** Of a model nobody told us about, as those that are run locally mostly hold. */
const UNKNOWN_WINDOW_TOKENS = 32_768;
const ANSWER_TOKENS = 8_192;
/** An estimate may be a little short. */
const SAFE_SHARE = 0.95;

/** By the name a provider gives a model, the more exact first. What vendors state, as of November 2026. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-4-1106|gpt-4-0125)/, 128_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^gpt-oss/, 131_072],
  [/^o[134](-|$)/, 200_000],
  [/claude/, 200_000],
  [/gemini/, 1_000_000],
  [/deepseek/, 128_000],
  [/qwen-max/, 32_768],
  [/qwen3|qwen-plus|qwen-turbo|qwen-flash|qwq/, 131_072],
  [/kimi|moonshot-v1-128k/, 131_072],
  [/glm-4/, 128_000],
];

/**
 * The budget of a model: its window as the tenant states it, else as its name tells, else a cautious one; without what is
 * kept for the answer.
 */
export function budgetOf(spec: ModelSpec): TokenBudget {
  const windowTokens = spec.contextTokens ?? windowByName(spec.model);
  const answerTokens = Math.min(spec.maxOutputTokens ?? ANSWER_TOKENS, Math.floor(windowTokens / 4));
  return { windowTokens, answerTokens, limitTokens: Math.floor((windowTokens - answerTokens) * SAFE_SHARE) };
}

function windowByName(model: string): number {
  // `openai/gpt-4o`, as brokers write it.
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  const stated = /(?:^|-)(\d{1,4})k(?:-|$)/.exec(name)?.[1];
  if (stated !== undefined) return Number(stated) * 1_000;
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN_WINDOW_TOKENS;
}
