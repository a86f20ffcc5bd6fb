import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { appUser, tenant } from './tenants.ts';

/** What a tenant has installed from the catalogue (requirement P-19). */
export const tenantPluginInstall = pgTable(
  'tenant_plugin_install',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    pluginId: text().notNull(),
    version: text().notNull(),
    isEnabled: boolean().notNull(),
    /** The permissions that were consented to. */
    permissions: text().array().notNull(),
    /** Settings that may be shown. */
    settings: jsonbValue().notNull(),
    /** Sealed settings by name: {keyId, box, hint}. */
    secrets: jsonbValue().notNull(),
    /** Documents that came with it: [{key, documentId, version}]. */
    documents: jsonbValue().notNull(),
    installedBy: id('user').notNull(),
    installedAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.pluginId] }), tenantPolicy('tenant_plugin_install')],
);

/** Installations and upgrades, each carried on from its own row by whoever holds the claim. */
export const pluginOperation = pgTable(
  'plugin_operation',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('pluginOperation').primaryKey(),
    pluginId: text().notNull(),
    kind: text().notNull(),
    state: text().notNull(),
    version: text().notNull(),
    permissions: text().array().notNull(),
    settings: jsonbValue().notNull(),
    secrets: jsonbValue().notNull(),
    /** Stages that are done: [{stage, at}]. */
    done: jsonbValue().notNull(),
    /** Documents put in so far; taken out again when it fails. */
    documents: jsonbValue().notNull(),
    /** {stage, message}; null unless it failed. */
    error: jsonbValue(),
    requestedBy: id('user').notNull(),
    /** null: the person themselves, not one of their keys. */
    apiKeyId: id('apiKey'),
    /** Whose turn it is; a write under another claim is refused. */
    claim: uuid().notNull(),
    claimedAt: createdAt(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // One at a time for a plugin; also the latest of a plugin, for its page.
    uniqueIndex('plugin_operation_running').on(table.tenantId, table.pluginId).where(sql`state = 'RUNNING'`),
    index('plugin_operation_latest').on(table.tenantId, table.pluginId, table.id.desc()),
    // The reconciler looks for those that stand still.
    index('plugin_operation_open').on(table.claimedAt).where(sql`state = 'RUNNING'`),
    tenantPolicy('plugin_operation'),
  ],
);

/** What a plugin was set to, one row a change: the way back. */
export const pluginSettingsSnapshot = pgTable(
  'plugin_settings_snapshot',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('pluginSnapshot').primaryKey(),
    pluginId: text().notNull(),
    version: text().notNull(),
    settings: jsonbValue().notNull(),
    secrets: jsonbValue().notNull(),
    createdBy: id('user').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    index('plugin_settings_snapshot_latest').on(table.tenantId, table.pluginId, table.id.desc()),
    tenantPolicy('plugin_settings_snapshot'),
  ],
);

/** Members ask for a plugin; whoever may install decides. */
export const pluginRequest = pgTable(
  'plugin_request',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('pluginRequest').primaryKey(),
    pluginId: text().notNull(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    state: text().notNull(),
    /** null until it is decided. */
    decidedBy: id('user'),
    decidedAt: instant(),
    /** What the one who decided said; null: nothing. */
    note: text(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // One open request of a person for a plugin.
    uniqueIndex('plugin_request_open').on(table.tenantId, table.pluginId, table.userId).where(sql`state = 'OPEN'`),
    index('plugin_request_list').on(table.tenantId, table.id.desc()),
    tenantPolicy('plugin_request'),
  ],
);
