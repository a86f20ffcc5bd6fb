import { customType } from 'drizzle-orm/pg-core';

/**
 * A jsonb column whose value is opaque until a store has parsed it with zod. The text is made storable on the way in by
 * the statement that writes it (`storable-text.ts`).
 */
export const jsonbValue = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
});
