import type { Row, Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import type { Approval, ApprovalGrant, ApprovalPolicy } from '#lib/capabilities/index.ts';
import { fromUuid, type Id, type JsonObject } from '#lib/kernel/index.ts';
import type { ApprovalView } from '#lib/supervisor/index.ts';

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const approvalRow = z.object({
  id: z.string(),
  run_id: z.string(),
  invocation_id: z.string(),
  capability_id: z.string(),
  capability_version: z.string(),
  arguments: jsonObject,
  arguments_hash: z.string(),
  risk: z.enum(['read', 'write', 'destructive']),
  reason: z.enum(['destructive', 'policy', 'outside-content']),
  needs_other: z.boolean(),
  state: z.enum(['OPEN', 'APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN']),
  note: z.string().nullable(),
  decided_by_name: z.string().nullable(),
});

/** A row of `approval` with the name of who decided. */
export function toApproval(row: Row): Approval {
  const approval = approvalRow.parse(row);
  return {
    id: fromUuid('approval', approval.id),
    runId: fromUuid('run', approval.run_id),
    invocationId: fromUuid('invocation', approval.invocation_id),
    capabilityId: approval.capability_id,
    capabilityVersion: approval.capability_version,
    arguments: approval.arguments,
    argumentsHash: approval.arguments_hash,
    risk: approval.risk,
    reason: approval.reason,
    needsOther: approval.needs_other,
    state: approval.state,
    decidedBy: approval.decided_by_name,
    note: approval.note,
  };
}

const viewRow = approvalRow.extend({
  session_id: z.string(),
  proposed_arguments: jsonObject.nullable(),
  requested_by: z.string(),
  requested_by_name: z.string(),
  created_at: z.date(),
  expires_at: z.date(),
  decided_by: z.string().nullable(),
  decided_at: z.date().nullable(),
  extent: z.enum(['once', 'session']).nullable(),
});

/** A row of `approval` with its session, and the names of who asked and who decided. */
export function toApprovalView(row: Row): ApprovalView & { readonly id: Id<'approval'> } {
  const approval = viewRow.parse(row);
  const { argumentsHash: _, decidedBy: name, ...rest } = toApproval(row);
  return {
    ...rest,
    sessionId: fromUuid('session', approval.session_id),
    proposedArguments: approval.proposed_arguments,
    requestedBy: { userId: fromUuid('user', approval.requested_by), name: approval.requested_by_name },
    createdAt: approval.created_at.toISOString(),
    expiresAt: approval.expires_at.toISOString(),
    decidedBy: approval.decided_by ? { userId: fromUuid('user', approval.decided_by), name: name ?? '' } : null,
    decidedAt: approval.decided_at?.toISOString() ?? null,
    extent: approval.extent,
  };
}

const policyRow = z.object({ capability_id: z.string(), mode: z.enum(['never', 'ask', 'forbid']).nullable(), needs_other: z.boolean() });

export function toApprovalPolicy(row: Row): ApprovalPolicy {
  const { capability_id, mode, needs_other } = policyRow.parse(row);
  return { capabilityId: capability_id, mode, needsOther: needs_other };
}

const grantRow = z.object({ id: z.string(), capability_version: z.string(), same_arguments: jsonObject });

export function toApprovalGrant(row: Row): ApprovalGrant {
  const grant = grantRow.parse(row);
  return { id: fromUuid('approvalGrant', grant.id), capabilityVersion: grant.capability_version, sameArguments: grant.same_arguments };
}

/** Approvals with what `toApprovalView` reads; the condition is the caller's. */
export function selectApprovals(tx: Sql | TransactionSql) {
  return tx`
    select a.*, r.session_id, asking.name as requested_by_name, deciding.name as decided_by_name
    from approval a join run r on r.tenant_id = a.tenant_id and r.id = a.run_id
      join app_user asking on asking.id = a.requested_by left join app_user deciding on deciding.id = a.decided_by`;
}
