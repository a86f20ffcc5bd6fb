import { and, eq, sql } from 'drizzle-orm';
import type { OidcIdentity, OidcIdentityStore } from '#lib/auth/index.ts';
import { oidcIdentity } from '../schema/index.ts';
import type { Transaction } from '../tenant-binding.ts';

export function bindOidcIdentityStore({ transaction }: { transaction: Transaction }): OidcIdentityStore {
  return {
    async lock({ issuer, subject }) {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`oidc ${issuer} ${subject}`}, 0))`);
    },
    async findUserId(identity) {
      const [row] = await transaction.select({ userId: oidcIdentity.userId }).from(oidcIdentity).where(isThis(identity));
      return row?.userId ?? null;
    },
    async isLinked({ issuer, userId }) {
      const rows = await transaction
        .select({ subject: oidcIdentity.subject })
        .from(oidcIdentity)
        .where(and(eq(oidcIdentity.issuer, issuer), eq(oidcIdentity.userId, userId)));
      return rows.length > 0;
    },
    async add(identity) {
      await transaction.insert(oidcIdentity).values(identity);
    },
  };
}

const isThis = ({ issuer, subject }: OidcIdentity) => and(eq(oidcIdentity.issuer, issuer), eq(oidcIdentity.subject, subject));
