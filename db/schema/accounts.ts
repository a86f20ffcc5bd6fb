import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgPolicy, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { claimedGroups, createdAt, id, instant, tenantPolicy, text } from '../columns.ts';
import { appUser, role, tenant } from './tenants.ts';

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

/** Platform table: who somebody is at the provider by which they sign in. Its subject never changes; an address may. */
export const oidcIdentity = pgTable(
  'oidc_identity',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  // An account is one person: a second subject with its address is somebody else.
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), unique().on(table.issuer, table.userId)],
);

/** Which role the members of a provider's group have here; of several, the first in order. */
export const groupRole = pgTable(
  'group_role',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    /** As the provider names it, letter by letter. */
    groupName: text().notNull(),
    roleId: id('role').notNull(),
    position: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.groupName] }),
    foreignKey({ columns: [table.tenantId, table.roleId], foreignColumns: [role.tenantId, role.id] }),
    // "Which tenants know one of these groups?", asked at a sign-in before there is a tenant.
    index('group_role_group').on(table.groupName),
    tenantPolicy('group_role'),
    // To be read, and no more: those of the groups that the provider has just named.
    pgPolicy('group_role_claimed', { for: 'select', using: sql`group_name in ${claimedGroups}` }),
  ],
);
