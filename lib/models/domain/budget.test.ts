import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { answerTokensFor, type Budget, budgetsThatHold, claimOn, requireSoundBudget } from './budget.ts';
import { sayRefusal } from './budget-wording.ts';

const of = (more: Partial<Budget> = {}): Budget => ({
  id: newId('budget'),
  subject: 'tenant',
  userId: null,
  measure: 'tokens',
  currency: null,
  period: 'month',
  softLimit: null,
  hardLimit: 10_000,
  ...more,
});
const price = {
  currency: 'USD',
  inputMicros: 2_000_000,
  cachedInputMicros: 200_000,
  cacheWriteMicros: 2_500_000,
  outputMicros: 10_000_000,
};
const call = { inputTokens: 1_000, answerTokens: 2_000, price };

describe('budgetsThatHold', () => {
  const [ada, bob] = [newId('user'), newId('user')];
  const forEach = of({ subject: 'user' });
  const forAda = of({ subject: 'user', userId: ada });
  const dayForEach = of({ subject: 'user', period: 'day' });
  const shared = of();

  it('puts a person’s own in the place of each person’s, for the same measure and period', () => {
    const all = [forEach, forAda, dayForEach, shared];
    expect(budgetsThatHold(all, ada)).toEqual([forAda, dayForEach, shared]);
    expect(budgetsThatHold(all, bob)).toEqual([forEach, dayForEach, shared]);
  });
});

describe('claimOn', () => {
  it('asks for the prompt with a short answer at least, and with the longest at most', () => {
    expect(claimOn(of(), call)).toMatchObject({ needs: 1_256, wants: 3_000 });
    expect(claimOn(of(), { ...call, answerTokens: 100 })).toMatchObject({ needs: 1_100, wants: 1_100 });
  });

  it('takes the dearest way the prompt can be charged for', () => {
    expect(claimOn(of({ measure: 'money', currency: 'USD' }), call)).toMatchObject({ needs: 2_500 + 2_560, wants: 2_500 + 20_000 });
    const plain = { ...price, cacheWriteMicros: 0 };
    expect(claimOn(of({ measure: 'money', currency: 'USD' }), { ...call, price: plain })).toMatchObject({ wants: 2_000 + 20_000 });
  });

  it('knows no part of a budget of money without a price in its currency', () => {
    const money = of({ measure: 'money', currency: 'EUR' });
    expect(claimOn(money, call)).toBeNull();
    expect(claimOn(money, { ...call, price: null })).toBeNull();
  });
});

describe('answerTokensFor', () => {
  it('is what is left beside the prompt, never more than the model may answer', () => {
    expect(answerTokensFor(of(), 1_700, call)).toBe(700);
    expect(answerTokensFor(of(), 90_000, call)).toBe(2_000);
  });

  it('turns money into tokens at the price of output', () => {
    const money = of({ measure: 'money', currency: 'USD' });
    expect(answerTokensFor(money, 2_500 + 5_000, call)).toBe(500);
    // What it wants is what it gets, rounded as it may be.
    expect(answerTokensFor(money, claimOn(money, call)?.wants ?? 0, call)).toBe(2_000);
    expect(answerTokensFor(money, 1, { ...call, price: { ...price, outputMicros: 0 } })).toBe(2_000);
  });
});

describe('requireSoundBudget', () => {
  it.each([
    ['hardLimit', { hardLimit: null }],
    ['softLimit', { softLimit: 10_001 }],
    ['currency', { measure: 'money' }],
    ['currency', { currency: 'USD' }],
    ['userId', { userId: newId('user') }],
  ] as const)('names %s where it is wrong', (path, wrong) => {
    expect(() => requireSoundBudget(of(wrong))).toThrow(expect.objectContaining({ code: 'invalid_request', details: { path } }));
  });

  it('takes one of two limits, and a soft one below the other', () => {
    requireSoundBudget(of({ softLimit: 10_000 }));
    requireSoundBudget(of({ softLimit: 1, hardLimit: null }));
    requireSoundBudget(of({ subject: 'user', userId: newId('user'), measure: 'money', currency: 'CNY' }));
  });
});

describe('sayRefusal', () => {
  const standing = { budgetId: newId('budget'), used: 9_812, reserved: 100, held: 0, needs: 256, softLimit: null, hardLimit: 10_000 };
  const endsAt = new Date('2026-12-01T00:00:00Z');

  it('names the limit and what comes next, in the language of the chat', () => {
    const said = sayRefusal(of(), { ...standing, endsAt }, { locale: 'en', timeZone: 'UTC' });
    expect(said).toContain(
      'this workspace has used 9,812 tokens and holds 100 tokens for calls that are under way of 10,000 tokens this month',
    );
    expect(said).toContain('It counts anew from December 1, 2026');
    expect(said).toContain('Settings > Budgets');
    const inChinese = sayRefusal(
      of({ subject: 'session', period: 'total' }),
      { ...standing, endsAt: null },
      { locale: 'zh-CN', timeZone: 'UTC' },
    );
    expect(inChinese).toContain('此会话累计已用 9,812 个 token');
    expect(inChinese).not.toContain('重新计算');
  });

  it('writes money as money', () => {
    const money = of({ measure: 'money', currency: 'USD', period: 'day', hardLimit: 1_500_000 });
    const said = sayRefusal(
      money,
      { ...standing, used: 1_499_900, reserved: 0, hardLimit: 1_500_000, endsAt },
      { locale: 'en', timeZone: 'UTC' },
    );
    expect(said).toContain('has used $1.4999 of $1.50 today');
  });
});
