import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { tenant, tenantMember } from './tenants.ts';

/** An MCP server that a tenant has added. */
export const mcpServer = pgTable(
  'mcp_server',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('mcpServer').primaryKey(),
    /** First part of its tools' ids. Never changes. */
    name: text().notNull(),
    transport: text().notNull(),
    /** null for a local program. */
    url: text(),
    /** The operator's name of a local program; null for a server over HTTP. */
    program: text(),
    auth: text().notNull(),
    headerNames: text().array().notNull(),
    /** AES-256-GCM under the key named by `keyId`: JSON of name to value; null: no headers. */
    encryptedHeaders: text(),
    keyId: text(),
    /** As whom we speak to its authorization server; null: not registered yet, or nobody signs in. */
    clientId: text(),
    /** Whether an administrator gave it; else we registered ourselves. */
    isClientGiven: boolean().notNull().default(false),
    /** AES-256-GCM: JSON of the client, its secret and the authorization server that it belongs to. */
    encryptedClient: text(),
    clientKeyId: text(),
    /** What a sign-in asks for; null: what the server says it needs. */
    signInScope: text(),
    timeoutMs: integer().notNull(),
    isEnabled: boolean().notNull(),
    revision: integer().notNull(),
    /** null: not checked since the last change of how it is reached. */
    state: text(),
    /** What the last check found, as `McpCheck`; null with `state`. */
    lastCheck: jsonbValue(),
    /** When a process is to look at it next. */
    nextCheckAt: instant().notNull().defaultNow(),
    /** The last change of its list; null: none since the first. */
    lastDiff: jsonbValue(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    updatedBy: id('user'),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique().on(table.tenantId, table.name),
    // Servers that are to be looked at, over all tenants.
    index('mcp_server_due').on(table.nextCheckAt).where(sql`is_enabled`),
    tenantPolicy('mcp_server'),
  ],
);

/** A tool of such a server: what of it was accepted, and what the server says now. */
export const mcpTool = pgTable(
  'mcp_tool',
  {
    tenantId: id('tenant').notNull(),
    serverId: id('mcpServer').notNull(),
    id: id('mcpTool').primaryKey(),
    /** As the server calls it. */
    name: text().notNull(),
    /** Second part of its capability's id. */
    capabilityName: text().notNull(),
    definition: jsonbValue().notNull(),
    hash: text().notNull(),
    /** What waits to be accepted; null: nothing. */
    pendingDefinition: jsonbValue(),
    pendingHash: text(),
    /** Why it cannot be used; null: it can. */
    problem: text(),
    isListed: boolean().notNull(),
    isEnabled: boolean().notNull(),
    sideEffect: text().notNull(),
    idempotency: text().notNull(),
    acceptedAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique().on(table.tenantId, table.serverId, table.name),
    unique().on(table.tenantId, table.serverId, table.capabilityName),
    foreignKey({ columns: [table.tenantId, table.serverId], foreignColumns: [mcpServer.tenantId, mcpServer.id] }).onDelete('cascade'),
    tenantPolicy('mcp_tool'),
  ],
);

/** A member's own account at a server where each person signs in. */
export const mcpAccount = pgTable(
  'mcp_account',
  {
    tenantId: id('tenant').notNull(),
    id: id('mcpAccount').primaryKey(),
    serverId: id('mcpServer').notNull(),
    userId: id('user').notNull(),
    /** SHA-256 of the state of a sign-in that is on its way; null: none. */
    signInHash: text(),
    /** AES-256-GCM: JSON of what the answer to it is checked against. */
    encryptedSignIn: text(),
    signInKeyId: text(),
    signInExpiresAt: instant(),
    /** AES-256-GCM: JSON of the tokens and of where they are renewed; null: not connected. */
    encryptedTokens: text(),
    tokensKeyId: text(),
    /** When the access token ends; null: unknown. */
    expiresAt: instant(),
    /** What was granted; null: the server did not say. */
    scope: text(),
    /** What a call was refused for the lack of; the next sign-in asks for it. */
    wantedScope: text(),
    /** Rises with each change of the tokens: of two that renew the same ones, one does. */
    version: integer().notNull().default(0),
    /** Until when one process renews; null: none does. */
    renewingUntil: instant(),
    /** The server no longer takes what there is: its person has to sign in again. */
    isLapsed: boolean().notNull().default(false),
    connectedAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique().on(table.tenantId, table.serverId, table.userId),
    foreignKey({ columns: [table.tenantId, table.serverId], foreignColumns: [mcpServer.tenantId, mcpServer.id] }).onDelete('cascade'),
    // Who leaves the workspace leaves no tokens behind.
    foreignKey({ columns: [table.tenantId, table.userId], foreignColumns: [tenantMember.tenantId, tenantMember.userId] }).onDelete(
      'cascade',
    ),
    tenantPolicy('mcp_account'),
  ],
);
