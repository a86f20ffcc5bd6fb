import { boolean, foreignKey, index, pgTable } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, text } from '../columns.ts';
import { apiKey, appUser, tenant } from './tenants.ts';

/** Platform table: programs that have introduced themselves. They belong to no tenant, and may do nothing by themselves. */
export const oauthClient = pgTable(
  'oauth_client',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    redirectUris: text().array().notNull(),
    createdAt: createdAt(),
    /** Whether anybody has ever allowed it anything: others are forgotten. */
    isUsed: boolean().notNull().default(false),
  },
  (table) => [index('oauth_client_unused').on(table.isUsed, table.createdAt)],
);

/** Platform table: what a person has allowed, until the program fetches its token. Whoever presents a code is not known yet. */
export const oauthCode = pgTable(
  'oauth_code',
  {
    /** SHA-256 of the code, hex. */
    hash: text().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => oauthClient.id, { onDelete: 'cascade' }),
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    redirectUri: text().notNull(),
    codeChallenge: text().notNull(),
    expiresAt: instant().notNull(),
    /** The key that it was exchanged for. Kept, so that a second try is known for what it is. */
    apiKeyId: id('apiKey'),
  },
  (table) => [
    index('oauth_code_expiry').on(table.expiresAt),
    foreignKey({
      name: 'oauth_code_key',
      columns: [table.tenantId, table.apiKeyId],
      foreignColumns: [apiKey.tenantId, apiKey.id],
    }).onDelete('cascade'),
  ],
);

/** Platform table: by which a program gets its next access token. */
export const oauthRefresh = pgTable(
  'oauth_refresh',
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => oauthClient.id, { onDelete: 'cascade' }),
    tenantId: id('tenant').notNull(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    apiKeyId: id('apiKey').notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    index('oauth_refresh_expiry').on(table.expiresAt),
    index('oauth_refresh_user').on(table.userId),
    foreignKey({
      name: 'oauth_refresh_key',
      columns: [table.tenantId, table.apiKeyId],
      foreignColumns: [apiKey.tenantId, apiKey.id],
    }).onDelete('cascade'),
  ],
);
