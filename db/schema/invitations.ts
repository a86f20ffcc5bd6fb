import { foreignKey, pgTable, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, tenantPolicy, text } from '../columns.ts';
import { appUser, role, tenant } from './tenants.ts';

/** A link by which one person may become a member. */
export const invitation = pgTable(
  'invitation',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('invitation').primaryKey(),
    /** A role goes with the invitations to it: nobody can come in with a role that is not there any more. */
    roleId: id('role').notNull(),
    /** Whom it is meant for, in the words of whoever made it; empty where they said nothing. */
    note: text().notNull().default(''),
    /** It is worth no more than what this person may still hand on. */
    invitedBy: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    /** When it was withdrawn; null while it was not. */
    revokedAt: instant(),
    /** When somebody used it; null while nobody has. */
    acceptedAt: instant(),
    /** Who used it; null while nobody has. */
    acceptedBy: id('user').references(() => appUser.id, { onDelete: 'set null' }),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.roleId], foreignColumns: [role.tenantId, role.id] }).onDelete('cascade'),
    tenantPolicy('invitation'),
  ],
);

/** Platform table: from the hash of a presented link to the tenant in which the invitation is looked up. */
export const invitationHash = pgTable(
  'invitation_hash',
  {
    /** SHA-256 of the link's token, hex: the token is 32 random bytes, so a slow hash would protect nothing. */
    hash: text().primaryKey(),
    tenantId: id('tenant').notNull(),
    invitationId: id('invitation').notNull(),
  },
  (table) => [
    foreignKey({ columns: [table.tenantId, table.invitationId], foreignColumns: [invitation.tenantId, invitation.id] }).onDelete('cascade'),
  ],
);
