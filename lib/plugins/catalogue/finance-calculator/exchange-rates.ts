import type { JsonObject } from '#lib/kernel/index.ts';

/** The rates a tenant has entered: what one unit of each currency is worth in the base currency. */
export interface ExchangeRates {
  readonly base: string;
  readonly rates: ReadonlyMap<string, number>;
  /** The day they are of, as entered; '' when none was. */
  readonly asOf: string;
}

/** Reads the rates of a configuration (`base`, `rates` as `USD=7.12`, `asOf`). A line that is no rate is an error to be told. */
export function readRates(configuration: JsonObject): ExchangeRates | { readonly problem: string } {
  const base = typeof configuration['base'] === 'string' ? configuration['base'].trim().toUpperCase() : '';
  const lines = Array.isArray(configuration['rates']) ? configuration['rates'] : [];
  const rates = new Map<string, number>();
  if (base !== '') rates.set(base, 1);
  for (const line of lines) {
    const match = /^\s*([A-Za-z]{3})\s*[=:]\s*(\d+(?:\.\d+)?)\s*$/.exec(String(line));
    const rate = Number(match?.[2]);
    if (!match?.[1] || !(rate > 0)) return { problem: String(line) };
    rates.set(match[1].toUpperCase(), rate);
  }
  return { base, rates, asOf: typeof configuration['asOf'] === 'string' ? configuration['asOf'] : '' };
}

/** null when one of the currencies has no rate. */
export function exchange({ rates }: ExchangeRates, amount: number, from: string, to: string): number | null {
  const [fromRate, toRate] = [rates.get(from), rates.get(to)];
  return fromRate === undefined || toRate === undefined ? null : (amount * fromRate) / toRate;
}
