import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { AppError, storableText } from '#lib/kernel/index.ts';
import type { User, UserStore } from '#lib/tenancy/index.ts';
import { appUser } from '../schema/index.ts';
import type { Transaction } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';

export function bindUserStore({ transaction }: { transaction: Transaction }): UserStore {
  return {
    async add(user) {
      await orIfTaken(
        transaction.insert(appUser).values(user),
        () => new AppError({ code: 'email_taken', message: `There is an account for ${user.email} already.` }),
      );
    },
    async findByEmail(email) {
      const [row] = await transaction.select().from(appUser).where(eq(appUser.email, email));
      return row ? toUser(row) : null;
    },
    async find(userId) {
      const [row] = await transaction.select().from(appUser).where(eq(appUser.id, userId));
      return row ? toUser(row) : null;
    },
    async list({ after, limit, text, isDisabled }) {
      const rows = await transaction
        .select()
        .from(appUser)
        .where(
          and(
            after ? gt(appUser.id, after) : undefined,
            isDisabled === undefined ? undefined : isDisabled ? isNotNull(appUser.disabledAt) : isNull(appUser.disabledAt),
            text === undefined ? undefined : isPartOfNameOrAddress(text),
          ),
        )
        .orderBy(asc(appUser.id))
        .limit(limit);
      return rows.map(toUser);
    },
    async setDisabled(userId, at) {
      await transaction.update(appUser).set({ disabledAt: at }).where(eq(appUser.id, userId));
    },
    async findPasswordHash(userId) {
      const [row] = await transaction.select({ passwordHash: appUser.passwordHash }).from(appUser).where(eq(appUser.id, userId));
      return row?.passwordHash ?? null;
    },
    async setPasswordHash(userId, passwordHash) {
      await transaction.update(appUser).set({ passwordHash }).where(eq(appUser.id, userId));
    },
    async update(userId, change) {
      const columns = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(columns).length > 0) await transaction.update(appUser).set(columns).where(eq(appUser.id, userId));
    },
    async hasOperator() {
      const rows = await transaction
        .select({ id: appUser.id })
        .from(appUser)
        .where(and(eq(appUser.isOperator, true), isNull(appUser.disabledAt)))
        .limit(1);
      return rows.length > 0;
    },
    async isOperator(userId) {
      const rows = await transaction
        .select({ id: appUser.id })
        .from(appUser)
        .where(and(eq(appUser.id, userId), eq(appUser.isOperator, true), isNull(appUser.disabledAt)));
      return rows.length > 0;
    },
  };
}

/** `position`, not `like`: what people type holds percent signs and underscores that mean themselves. */
export function isPartOfNameOrAddress(text: string) {
  return sql`position(lower(${storableText(text)}) in lower(${appUser.name} || ' ' || ${appUser.email})) > 0`;
}

function toUser({ id, email, name, disabledAt, isOperator, timeZone }: typeof appUser.$inferSelect): User {
  return { id, email, name, isDisabled: disabledAt !== null, isOperator, timeZone };
}
