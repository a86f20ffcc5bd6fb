import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '#lib/kernel/index.ts';
import type { McpAccount, McpAccountStore } from '#lib/mcp/index.ts';
import { mcpAccount } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

const columns = {
  id: mcpAccount.id,
  serverId: mcpAccount.serverId,
  userId: mcpAccount.userId,
  encryptedTokens: mcpAccount.encryptedTokens,
  tokensKeyId: mcpAccount.tokensKeyId,
  expiresAt: mcpAccount.expiresAt,
  scope: mcpAccount.scope,
  wantedScope: mcpAccount.wantedScope,
  version: mcpAccount.version,
  isLapsed: mcpAccount.isLapsed,
  connectedAt: mcpAccount.connectedAt,
};

const NO_SIGN_IN = { signInHash: null, encryptedSignIn: null, signInKeyId: null, signInExpiresAt: null };
const NEXT_VERSION = { version: sql`${mcpAccount.version} + 1`, renewingUntil: null };

export function bindMcpAccountStore({ transaction, scope: { tenantId }, clock }: TenantBinding): McpAccountStore {
  const ofTenant = eq(mcpAccount.tenantId, tenantId);
  const one = (id: McpAccount['id']) => and(ofTenant, eq(mcpAccount.id, id));
  const at = (id: McpAccount['id'], version: number) => and(one(id), eq(mcpAccount.version, version));
  const own = (serverId: McpAccount['serverId'], userId: McpAccount['userId']) =>
    and(ofTenant, eq(mcpAccount.serverId, serverId), eq(mcpAccount.userId, userId));

  return {
    async find(serverId, userId) {
      const [row] = await transaction.select(columns).from(mcpAccount).where(own(serverId, userId));
      return row ? toAccount(row) : null;
    },

    async listOf(userId) {
      const rows = await transaction
        .select(columns)
        .from(mcpAccount)
        .where(and(ofTenant, eq(mcpAccount.userId, userId)));
      return rows.map(toAccount);
    },

    async beginSignIn({ id, serverId, userId, stateHash, sealed, expiresAt }) {
      const signIn = { signInHash: stateHash, encryptedSignIn: sealed.box, signInKeyId: sealed.keyId, signInExpiresAt: expiresAt };
      await transaction
        .insert(mcpAccount)
        .values({ tenantId, id, serverId, userId, ...signIn })
        .onConflictDoUpdate({ target: [mcpAccount.tenantId, mcpAccount.serverId, mcpAccount.userId], set: signIn });
    },

    async takeSignIn(userId, stateHash) {
      const [row] = await transaction
        .select({ id: mcpAccount.id, serverId: mcpAccount.serverId, box: mcpAccount.encryptedSignIn, keyId: mcpAccount.signInKeyId })
        .from(mcpAccount)
        .where(
          and(
            ofTenant,
            eq(mcpAccount.userId, userId),
            eq(mcpAccount.signInHash, stateHash),
            gt(mcpAccount.signInExpiresAt, clock.now()),
            isNotNull(mcpAccount.encryptedSignIn),
          ),
        )
        .for('update');
      if (!row?.box || !row.keyId) return null;
      await transaction.update(mcpAccount).set(NO_SIGN_IN).where(one(row.id));
      return { id: row.id, serverId: row.serverId, sealed: { box: row.box, keyId: row.keyId } };
    },

    async connect(id, tokens) {
      const connected = { ...NEXT_VERSION, wantedScope: null, isLapsed: false, connectedAt: clock.now() };
      const rows = await transaction
        .update(mcpAccount)
        .set({ ...toColumns(tokens), ...connected })
        .where(one(id))
        .returning({ id: mcpAccount.id });
      if (rows.length === 0) throw new AppError({ code: 'not_found', message: 'This account is gone.' });
    },

    async claimRenewal(id, version, forMs) {
      const isFree = or(isNull(mcpAccount.renewingUntil), lt(mcpAccount.renewingUntil, sql`now()`));
      const rows = await transaction
        .update(mcpAccount)
        .set({ renewingUntil: sql`now() + make_interval(secs => ${forMs / 1000})` })
        .where(and(at(id, version), isNotNull(mcpAccount.encryptedTokens), isFree))
        .returning({ id: mcpAccount.id });
      return rows.length > 0;
    },

    async endRenewal(id, version) {
      await transaction.update(mcpAccount).set({ renewingUntil: null }).where(at(id, version));
    },

    async keepRenewed(id, version, tokens) {
      const rows = await transaction
        .update(mcpAccount)
        .set({ ...toColumns(tokens), ...NEXT_VERSION })
        .where(at(id, version))
        .returning({ id: mcpAccount.id });
      return rows.length > 0;
    },

    async lapse(id, version) {
      const nothing = { encryptedTokens: null, tokensKeyId: null, expiresAt: null, isLapsed: true };
      await transaction
        .update(mcpAccount)
        .set({ ...nothing, ...NEXT_VERSION })
        .where(at(id, version));
    },

    async wantScope(id, scope) {
      await transaction.update(mcpAccount).set({ wantedScope: scope }).where(one(id));
    },

    async remove(serverId, userId) {
      const rows = await transaction.delete(mcpAccount).where(own(serverId, userId)).returning({ id: mcpAccount.id });
      return rows.length > 0;
    },

    async removeOf(serverId) {
      await transaction.delete(mcpAccount).where(and(ofTenant, eq(mcpAccount.serverId, serverId)));
    },
  };
}

function toColumns({ sealedTokens, expiresAt, scope }: Pick<McpAccount, 'sealedTokens' | 'expiresAt' | 'scope'>) {
  return { encryptedTokens: sealedTokens?.box ?? null, tokensKeyId: sealedTokens?.keyId ?? null, expiresAt, scope };
}

type AccountRow = Omit<McpAccount, 'sealedTokens'> & { readonly encryptedTokens: string | null; readonly tokensKeyId: string | null };

function toAccount({ encryptedTokens, tokensKeyId, ...rest }: AccountRow): McpAccount {
  return { ...rest, sealedTokens: encryptedTokens && tokensKeyId ? { box: encryptedTokens, keyId: tokensKeyId } : null };
}
