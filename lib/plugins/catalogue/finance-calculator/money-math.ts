/** Interest arithmetic. Rates are fractions of one a year: 0.042 for 4.2%. Amounts are in whatever currency they came in. */

export interface LoanTerms {
  readonly principal: number;
  readonly annualRate: number;
  readonly months: number;
}

export interface LoanPlan {
  readonly monthlyPayment: number;
  readonly totalPaid: number;
  readonly totalInterest: number;
  /** One row a year: what was paid of each, and what is left at its end. */
  readonly years: readonly { readonly year: number; readonly principal: number; readonly interest: number; readonly balance: number }[];
}

/** Equal monthly payments; without interest, equal parts. */
export function planLoan({ principal, annualRate, months }: LoanTerms): LoanPlan {
  const rate = annualRate / 12;
  const monthlyPayment = rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months);
  const years: LoanPlan['years'][number][] = [];
  let balance = principal;
  for (let month = 1; month <= months; month += 1) {
    const interest = balance * rate;
    const repaid = Math.min(balance, monthlyPayment - interest);
    balance -= repaid;
    const last = years.at(-1);
    const year = Math.ceil(month / 12);
    if (last?.year === year)
      years[years.length - 1] = { year, principal: last.principal + repaid, interest: last.interest + interest, balance };
    else years.push({ year, principal: repaid, interest, balance });
  }
  const totalPaid = monthlyPayment * months;
  return { monthlyPayment, totalPaid, totalInterest: totalPaid - principal, years };
}

/** What an amount grows to, with a deposit at the end of each month. Interest is added `timesAYear` times a year. */
export function growSavings(terms: { principal: number; annualRate: number; years: number; timesAYear: number; monthlyDeposit: number }): {
  readonly total: number;
  readonly deposited: number;
  readonly interest: number;
} {
  const { principal, annualRate, years, timesAYear, monthlyDeposit } = terms;
  // The rate a month that comes to the same as the given rhythm.
  const monthly = (1 + annualRate / timesAYear) ** (timesAYear / 12) - 1;
  const months = Math.round(years * 12);
  const grown = principal * (1 + annualRate / timesAYear) ** (timesAYear * years);
  const deposits = monthly === 0 ? monthlyDeposit * months : (monthlyDeposit * ((1 + monthly) ** months - 1)) / monthly;
  const deposited = principal + monthlyDeposit * months;
  const total = grown + deposits;
  return { total, deposited, interest: total - deposited };
}

/** The present value of flows at the ends of periods 0, 1, 2 … */
export function presentValue(rate: number, flows: readonly number[]): number {
  return flows.reduce((sum, flow, period) => sum + flow / (1 + rate) ** period, 0);
}

/**
 * The rate at which flows are worth nothing today: null when they never change sign, or when there is none between -99% and
 * 1,000%. Of several, the one nearest to zero.
 */
export function internalRate(flows: readonly number[]): number | null {
  if (!flows.some((flow) => flow > 0) || !flows.some((flow) => flow < 0)) return null;
  const steps = Array.from({ length: 1100 }, (_, index) => -0.99 + index / 100);
  const roots = steps.flatMap((low) => {
    const high = low + 0.01;
    const [atLow, atHigh] = [presentValue(low, flows), presentValue(high, flows)];
    if (atLow === 0) return [low];
    return Math.sign(atLow) === Math.sign(atHigh) ? [] : [bisect(low, high, flows)];
  });
  return roots.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
}

function bisect(from: number, to: number, flows: readonly number[]): number {
  let [low, high] = [from, to];
  const sign = Math.sign(presentValue(low, flows));
  for (let turn = 0; turn < 80; turn += 1) {
    const middle = (low + high) / 2;
    if (Math.sign(presentValue(middle, flows)) === sign) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
