import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/kernel/index.ts';
import { type ExchangeRates, exchange, readRates } from './exchange-rates.ts';
import { growSavings, internalRate, planLoan, presentValue } from './money-math.ts';

const cents = (value: number) => Math.round(value * 100) / 100;

describe('planLoan', () => {
  it.each([
    // As printed in tables of lenders.
    [{ principal: 300_000, annualRate: 0.042, months: 360 }, 1467.05],
    [{ principal: 10_000, annualRate: 0.06, months: 12 }, 860.66],
    [{ principal: 1_000_000, annualRate: 0.049, months: 240 }, 6544.44],
    [{ principal: 1_200, annualRate: 0, months: 12 }, 100],
  ])('asks the same every month: %j', (terms, payment) => {
    expect(cents(planLoan(terms).monthlyPayment)).toBe(payment);
  });

  it('is paid off at its end, and what was paid is principal and interest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 0, max: 2_500 }),
        fc.integer({ min: 1, max: 480 }),
        (principal, basis, months) => {
          const plan = planLoan({ principal, annualRate: basis / 10_000, months });
          const sum = (pick: (year: (typeof plan.years)[number]) => number) => plan.years.reduce((total, year) => total + pick(year), 0);
          expect(plan.years.at(-1)?.balance).toBeCloseTo(0, 2);
          expect(sum(({ principal: repaid }) => repaid) / principal).toBeCloseTo(1, 6);
          expect(sum(({ interest }) => interest)).toBeCloseTo(plan.totalInterest, 1);
          expect(plan.years.length).toBe(Math.ceil(months / 12));
        },
      ),
    );
  });
});

describe('growSavings', () => {
  it.each([
    [{ principal: 1_000, annualRate: 0.05, years: 10, timesAYear: 1, monthlyDeposit: 0 }, 1628.89],
    [{ principal: 1_000, annualRate: 0.05, years: 10, timesAYear: 12, monthlyDeposit: 0 }, 1647.01],
    [{ principal: 0, annualRate: 0.06, years: 1, timesAYear: 12, monthlyDeposit: 100 }, 1233.56],
    [{ principal: 500, annualRate: 0, years: 2, timesAYear: 12, monthlyDeposit: 10 }, 740],
  ])('grows: %j', (terms, total) => {
    expect(cents(growSavings(terms).total)).toBe(total);
  });
});

describe('presentValue and internalRate', () => {
  it('value a project', () => {
    expect(cents(presentValue(0.1, [-1000, 500, 400, 300]))).toBe(10.52);
    expect(cents((internalRate([-1000, 500, 400, 300]) ?? 0) * 100)).toBe(10.65);
    expect(internalRate([100, 200])).toBeNull();
  });

  it('agree: at the internal rate a project is worth nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 }), (gains) => {
        const flows = [-Math.ceil(gains.reduce((sum, gain) => sum + gain, 0) * 0.8), ...gains];
        const rate = internalRate(flows);
        const left = rate === null ? 0 : Math.abs(presentValue(rate, flows));
        expect(left).toBeLessThan(1e-4 * Math.abs(flows[0] ?? 1) + 1e-6);
      }),
    );
  });
});

function ratesOf(configuration: JsonObject): ExchangeRates {
  const rates = readRates(configuration);
  if ('problem' in rates) throw new Error(rates.problem);
  return rates;
}

describe('exchange', () => {
  it('goes by the rates that were entered, and by no other', () => {
    const rates = ratesOf({ base: 'cny', rates: ['USD=7.12', 'eur: 7.80'], asOf: '2026-11-01' });
    expect(exchange(rates, 100, 'USD', 'CNY')).toBeCloseTo(712);
    expect(exchange(rates, 712, 'CNY', 'USD')).toBeCloseTo(100);
    expect(exchange(rates, 78, 'EUR', 'USD')).toBeCloseTo(85.449, 2);
    expect(exchange(rates, 1, 'GBP', 'CNY')).toBeNull();
  });

  it('says which line is no rate', () => {
    for (const line of ['USD', 'USD=abc', 'USD=-1', 'USD=0', 'DOLLAR=7'])
      expect(readRates({ base: 'CNY', rates: [line] })).toEqual({ problem: line });
    expect(readRates({})).toMatchObject({ base: '', asOf: '' });
  });
});
