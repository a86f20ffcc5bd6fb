import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgPolicy,
  pgTable,
  primaryKey,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { createdAt, currentUser, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';

/** Platform table: the slug must be readable before a tenant is known. */
export const tenant = pgTable('tenant', {
  id: id('tenant').primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  isDemo: boolean().notNull().default(false),
  /** Zone of people who have none of their own. */
  timeZone: text().notNull().default('UTC'),
  settings: jsonbValue().notNull().default({}),
  createdAt: createdAt(),
  /** Set while the operator keeps it shut. */
  suspendedAt: instant(),
  /** When it was closed, for its purge to begin; null while it lives. */
  deletedAt: instant(),
});

/** Platform table: tenants that were deleted, and how far the removal of their rows has come. It outlives the tenant's own row. */
export const tenantPurge = pgTable('tenant_purge', {
  /** The tenant's; no reference, since its row goes last. */
  id: id('tenant').primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  requestedBy: id('user').notNull(),
  requestedAt: createdAt(),
  /** Rows to remove; null until they have been counted. */
  totalRows: integer(),
  purgedRows: integer().notNull().default(0),
  /** null while rows are left. */
  finishedAt: instant(),
});

/** Platform table: a person is one account over all tenants. */
export const appUser = pgTable('app_user', {
  id: id('user').primaryKey(),
  /** Lower-cased. */
  email: text().notNull().unique(),
  name: text().notNull(),
  /** argon2id in PHC text form; null for people who sign in elsewhere. */
  passwordHash: text(),
  /** null: ask the browser. */
  locale: text(),
  theme: text(),
  timeZone: text(),
  isOperator: boolean().notNull().default(false),
  createdAt: createdAt(),
  disabledAt: instant(),
});

/** Platform table: a row per sign-in, so that one can be ended from elsewhere. */
export const signInSession = pgTable(
  'sign_in_session',
  {
    id: id('signInSession').primaryKey(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    lastSeenAt: createdAt(),
    expiresAt: instant().notNull(),
    /** When the person or an admin ended it; null while it serves. */
    revokedAt: instant(),
    ip: text(),
    userAgent: text(),
    /** The role as which its person looks at that role's tenant; null: as themselves. */
    viewedRoleId: id('role').references((): AnyPgColumn => role.id, { onDelete: 'set null' }),
  },
  (table) => [
    // The account page's list.
    index('sign_in_session_user').on(table.userId),
  ],
);

export const role = pgTable(
  'role',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('role').primaryKey(),
    key: text().notNull(),
    name: text().notNull(),
    isBuiltIn: boolean().notNull().default(false),
    permissions: text().array().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.tenantId, table.id), unique().on(table.tenantId, table.key), tenantPolicy('role')],
);

/** Membership is also readable by the person it is about: the sign-in asks "which tenants are mine?" before there is one. */
export const tenantMember = pgTable(
  'tenant_member',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    roleId: id('role').notNull(),
    createdAt: createdAt(),
    /** Set while the member may not act here. */
    disabledAt: instant(),
    /** Whether the role comes from a group of the sign-in provider, which then changes it and takes it away again. */
    isFromGroup: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({ columns: [table.tenantId, table.roleId], foreignColumns: [role.tenantId, role.id] }),
    // "Which tenants are mine?"
    index('tenant_member_user').on(table.userId),
    tenantPolicy('tenant_member'),
    // To be read, and no more: acting in one tenant, a person's memberships in others stay as they are.
    pgPolicy('tenant_member_own', { for: 'select', using: sql`user_id = ${currentUser}` }),
  ],
);

/** Members ask for a permission that their role lacks; whoever manages members decides. */
export const accessRequest = pgTable(
  'access_request',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('accessRequest').primaryKey(),
    userId: id('user').notNull(),
    permission: text().notNull(),
    reason: text().notNull(),
    state: text().notNull(),
    /** null until it is decided. */
    decidedBy: id('user'),
    decidedAt: instant(),
    /** Why it was refused. */
    note: text(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // Who leaves the tenant asks for nothing in it any more.
    foreignKey({
      name: 'access_request_member',
      columns: [table.tenantId, table.userId],
      foreignColumns: [tenantMember.tenantId, tenantMember.userId],
    }).onDelete('cascade'),
    // One open request of a person for a permission.
    uniqueIndex('access_request_open').on(table.tenantId, table.permission, table.userId).where(sql`state = 'OPEN'`),
    index('access_request_list').on(table.tenantId, table.id.desc()),
    tenantPolicy('access_request'),
  ],
);

export const apiKey = pgTable(
  'api_key',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('apiKey').primaryKey(),
    name: text().notNull(),
    hint: text().notNull(),
    /** The key acts for this person, within the scopes. */
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    scopes: text().array().notNull(),
    createdAt: createdAt(),
    /** null: never. */
    expiresAt: instant(),
    lastUsedAt: instant(),
    revokedAt: instant(),
  },
  (table) => [unique().on(table.tenantId, table.id), tenantPolicy('api_key')],
);

/** Platform table: from the hash of a presented key to the tenant in which the key is looked up. */
export const apiKeyHash = pgTable(
  'api_key_hash',
  {
    /** SHA-256 of the whole key, hex: the key is 32 random bytes, so a slow hash would protect nothing. */
    hash: text().primaryKey(),
    tenantId: id('tenant').notNull(),
    apiKeyId: id('apiKey').notNull(),
  },
  (table) => [foreignKey({ columns: [table.tenantId, table.apiKeyId], foreignColumns: [apiKey.tenantId, apiKey.id] }).onDelete('cascade')],
);

/** Platform table: one row per setting of the deployment (the setup code's hash, say). */
export const platformSetting = pgTable('platform_setting', {
  key: text().primaryKey(),
  value: jsonbValue().notNull(),
});

/** Platform table: counters of the rate limiter, in the shape that rate-limiter-flexible reads and writes. */
export const rateLimit = pgTable('rate_limit', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  /** Milliseconds since 1970; null: never. */
  expire: bigint({ mode: 'number' }),
});
