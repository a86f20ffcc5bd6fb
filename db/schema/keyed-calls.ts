import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { createdAt, id, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { tenant } from './tenants.ts';

/** What a call of another program came to, under the key that it was given by its caller. Remembered for a day. */
export const keyedCall = pgTable(
  'keyed_call',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    /** The API key or the person that calls: nobody else is answered from what is kept. */
    caller: text().notNull(),
    key: text().notNull(),
    /** The attempt that has begun or ended last. */
    invocationId: id('invocation').notNull(),
    capabilityId: text().notNull(),
    argumentsHash: text().notNull(),
    /** `EXECUTING`, `SUCCEEDED` or `FAILED`. */
    state: text().notNull(),
    result: jsonbValue(),
    beganAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.caller, table.key] }),
    index('keyed_call_age').on(table.tenantId, table.beganAt),
    tenantPolicy('keyed_call'),
  ],
);
