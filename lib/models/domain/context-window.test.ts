import { describe, expect, it } from 'vitest';
import { budgetOf } from './context-window.ts';

const windowOf = (model: string) => budgetOf({ provider: 'compatible', model }).windowTokens;

describe('budgetOf', () => {
  it.each([
    ['gpt-5-mini', 272_000],
    ['openai/gpt-4o', 128_000],
    ['gpt-4', 8_192],
    ['claude-sonnet-4-5', 200_000],
    ['deepseek-chat', 128_000],
    ['qwen-max', 32_768],
    ['qwen3-32b', 131_072],
    ['moonshot-v1-8k', 8_000],
    ['something-of-ours', 32_768],
  ])('knows what %s can hold', (model, expected) => {
    expect(windowOf(model)).toBe(expected);
  });

  it('believes the tenant before the name, and keeps room for the answer', () => {
    const budget = budgetOf({ provider: 'openai', model: 'gpt-4o', contextTokens: 10_000, maxOutputTokens: 1_000 });
    expect(budget).toEqual({ windowTokens: 10_000, answerTokens: 1_000, limitTokens: 8_550 });
    expect(budgetOf({ provider: 'openai', model: 'gpt-4' }).answerTokens).toBe(2_048);
  });
});
