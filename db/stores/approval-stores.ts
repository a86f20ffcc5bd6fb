import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { ApprovalPolicyStore } from '#lib/capabilities/index.ts';
import type { ApprovalGrantStore } from '#lib/supervisor/index.ts';
import { agentSession, approvalGrant, approvalPolicy, appUser } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

const GRANTS_SHOWN = 200;
const mode = z.enum(['never', 'ask', 'forbid']).nullable();
const jsonObject = z.record(z.string(), z.json());

export function bindApprovalPolicyStore({ transaction, scope: { tenantId }, clock }: TenantBinding): ApprovalPolicyStore {
  return {
    async list() {
      const rows = await transaction.select().from(approvalPolicy).where(eq(approvalPolicy.tenantId, tenantId));
      return rows.map((row) => ({ capabilityId: row.capabilityId, mode: mode.parse(row.mode), needsOther: row.needsOther }));
    },

    async put({ capabilityId, mode, needsOther }, by) {
      const set = { mode, needsOther, updatedBy: by, updatedAt: clock.now() };
      await transaction
        .insert(approvalPolicy)
        .values({ tenantId, capabilityId, ...set })
        .onConflictDoUpdate({ target: [approvalPolicy.tenantId, approvalPolicy.capabilityId], set });
    },
  };
}

export function bindApprovalGrantStore({ transaction, scope: { tenantId }, clock }: TenantBinding): ApprovalGrantStore {
  return {
    async list(ofSessionsOf) {
      const rows = await transaction
        .select({ grant: approvalGrant, title: agentSession.title, name: appUser.name })
        .from(approvalGrant)
        .innerJoin(agentSession, and(eq(agentSession.tenantId, approvalGrant.tenantId), eq(agentSession.id, approvalGrant.sessionId)))
        .innerJoin(appUser, eq(appUser.id, approvalGrant.grantedBy))
        .where(
          and(
            eq(approvalGrant.tenantId, tenantId),
            isNull(approvalGrant.revokedAt),
            isNull(agentSession.deletedAt),
            ...(ofSessionsOf === 'anybody' ? [] : [eq(agentSession.userId, ofSessionsOf)]),
          ),
        )
        .orderBy(desc(approvalGrant.id))
        .limit(GRANTS_SHOWN);
      return rows.map(({ grant, title, name }) => ({
        id: grant.id,
        sessionId: grant.sessionId,
        sessionTitle: title,
        capabilityId: grant.capabilityId,
        capabilityVersion: grant.capabilityVersion,
        sameArguments: jsonObject.parse(grant.sameArguments),
        grantedBy: { userId: grant.grantedBy, name },
        createdAt: grant.createdAt.toISOString(),
      }));
    },

    async revoke(id, by, ofSessionsOf) {
      const theirs = transaction
        .select({ id: agentSession.id })
        .from(agentSession)
        .where(and(eq(agentSession.tenantId, tenantId), ...(ofSessionsOf === 'anybody' ? [] : [eq(agentSession.userId, ofSessionsOf)])));
      const rows = await transaction
        .update(approvalGrant)
        .set({ revokedAt: clock.now(), revokedBy: by })
        .where(
          and(
            eq(approvalGrant.tenantId, tenantId),
            eq(approvalGrant.id, id),
            isNull(approvalGrant.revokedAt),
            inArray(approvalGrant.sessionId, theirs),
          ),
        )
        .returning({ id: approvalGrant.id });
      return rows.length > 0;
    },
  };
}
