import { index, pgTable } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, text } from '../columns.ts';
import { appUser, tenant } from './tenants.ts';

/** Platform table: links that let a person set a new password. Whoever opens one is not signed in. */
export const passwordReset = pgTable(
  'password_reset',
  {
    /** SHA-256 of the link's token, hex: the token is 32 random bytes, so a slow hash would protect nothing. */
    hash: text().primaryKey(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** The tenant whose admin made it, and beyond which the account must not reach; null: an operator made it. */
    tenantId: id('tenant').references(() => tenant.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  // A new link takes the place of the person's earlier ones.
  (table) => [index('password_reset_user').on(table.userId)],
);
