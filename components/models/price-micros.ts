const MICROS_DIGITS = 6;
const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,6}))?$/;

/** Micro-units (1,000,000 = one of the currency) of an amount as people write it, such as 2.50 or 0,3. Null where it is none. */
export function parseMicros(text: string): number | null {
  const match = AMOUNT.exec(text.trim());
  if (!match) return null;
  // By digits, not by multiplication: 0.29 * 1e6 is not 290000.
  return Number(`${match[1]}${(match[2] ?? '').padEnd(MICROS_DIGITS, '0')}`);
}

/** The amount of micro-units as one writes it into a field, without needless zeros. */
export function writeMicros(micros: number): string {
  const digits = String(micros).padStart(MICROS_DIGITS + 1, '0');
  const fraction = digits.slice(-MICROS_DIGITS).replace(/0+$/, '');
  return digits.slice(0, -MICROS_DIGITS) + (fraction === '' ? '' : `.${fraction}`);
}
