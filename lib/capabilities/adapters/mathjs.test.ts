import { describe, expect, it } from 'vitest';
import { UNIT_NAMES } from '../builtin/unit-names.ts';
import { createMathjsExpressionEvaluator } from './mathjs-expression-evaluator.ts';
import { createMathjsUnitConverter } from './mathjs-unit-converter.ts';

describe('createMathjsExpressionEvaluator', () => {
  const evaluator = createMathjsExpressionEvaluator();

  it.each([
    ['17 / 100 * 2340', '397.8'],
    ['0.1 + 0.2', '0.3'],
    ['2^10', '1024'],
    ['sqrt(144) + 3^2', '21'],
    ['factorial(20)', '2432902008176640000'],
    ['mean(3, 4, 5)', '4'],
    ['1 / 3', '0.333333333333333'],
    ['17 mod 5', '2'],
  ])('works out %s', async (formula, value) => {
    expect(await evaluator.evaluate(formula)).toEqual({ ok: true, value });
  });

  it.each([
    ['1 / 0', 'no-result'],
    ['sqrt(-1)', 'not-real'],
    ['9^9^9', 'too-complex'],
    ['factorial(100000)', 'too-complex'],
    ['import("x")', 'not-allowed'],
    ['a = 3', 'not-allowed'],
    ['f(x) = x', 'not-allowed'],
    ['[1, 2, 3]', 'not-allowed'],
    ['zeros(100000)', 'not-allowed'],
    ['evaluate("1")', 'not-allowed'],
    ['3 +', 'unreadable'],
  ])('refuses %s as %s', async (formula, problem) => {
    const startedAt = performance.now();
    expect(await evaluator.evaluate(formula)).toMatchObject({ ok: false, problem });
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('createMathjsUnitConverter', () => {
  const converter = createMathjsUnitConverter();

  it('knows every unit that has a name', async () => {
    const byDimension = Map.groupBy(Object.entries(UNIT_NAMES), ([, { dimension }]) => dimension);
    for (const units of byDimension.values()) {
      const [first] = units[0] ?? [''];
      for (const [name] of units)
        expect(await converter.convert({ value: 1, from: first, to: name }), `${first} to ${name}`).toBeGreaterThan(-500);
    }
  });

  it.each([
    [100, 'celsius', 'fahrenheit', 212],
    [5, 'mile', 'km', 8.04672],
    [1, 'jin', 'kg', 0.5],
    [3, 'mu', 'm2', 2000],
    [36, 'km/h', 'm/s', 10],
  ])('converts %d %s to %s', async (value, from, to, expected) => {
    expect(await converter.convert({ value, from, to })).toBeCloseTo(expected, 6);
  });

  it('does not convert what measures different things', async () => {
    expect(await converter.convert({ value: 1, from: 'kg', to: 'm' })).toBeNull();
  });
});
