import { AppError } from '#lib/kernel/index.ts';

/** Throws `not_found`, the same for what never was and for what is another tenant's. */
export function requireFound<Value>(value: Value | null): Value {
  if (value === null) throw new AppError({ code: 'not_found', message: 'There is nothing here.' });
  return value;
}
