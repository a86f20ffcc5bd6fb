import { sql } from 'drizzle-orm';
import { customType, pgPolicy, timestamp } from 'drizzle-orm/pg-core';
import { fromUuid, type Id, type IdKind, storableJson, storableText, toUuid } from '#lib/kernel/index.ts';

/** A prefixed id in code, a bare uuid in the column. */
export function id<Kind extends IdKind>(kind: Kind) {
  return customType<{ data: Id<Kind>; driverData: string }>({
    dataType: () => 'uuid',
    toDriver: toUuid,
    fromDriver: (uuid) => fromUuid(kind, uuid),
  })();
}

/** Text that is made storable on its way in (known fault K23). */
export const text = customType<{ data: string; driverData: string }>({ dataType: () => 'text', toDriver: storableText });

/** A jsonb column whose value is opaque until a store has parsed it with zod. */
export const jsonbValue = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(storableJson(value)),
  fromDriver: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
});

/** An instant. Columns keep microseconds and the zone; code sees a Date. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

export const createdAt = () => instant().notNull().defaultNow();

/**
 * The tenant of the transaction, as `unit-of-work.ts` set it. `nullif`: after a transaction the setting is '' and not null.
 * The sub-select lets Postgres evaluate it once a statement and not once a row.
 */
export const currentTenant = sql`(select nullif(current_setting('app.tenant_id', true), '')::uuid)`;
export const currentUser = sql`(select nullif(current_setting('app.user_id', true), '')::uuid)`;

/** The groups that a provider names at a sign-in, a JSON array that `group-role-store.ts` sets for its transaction. */
export const claimedGroups = sql`(select jsonb_array_elements_text(coalesce(nullif(current_setting('app.claimed_groups', true), ''), '[]')::jsonb))`;

/** The one policy of a tenant table. `db/row-level-security.integration.test.ts` fails when a table lacks it. */
export const tenantPolicy = (table: string) =>
  pgPolicy(`${table}_tenant`, {
    for: 'all',
    using: sql`tenant_id = ${currentTenant}`,
    withCheck: sql`tenant_id = ${currentTenant}`,
  });
