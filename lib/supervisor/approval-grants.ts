import type { AuditLog } from '#lib/audit/index.ts';
import { AppError, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, hasPermission } from '#lib/tenancy/index.ts';
import type { ApprovalGrantView } from './contract.ts';
import type { ApprovalGrantStore } from './ports.ts';

export interface ApprovalRuleDependencies {
  readonly unitOfWork: UnitOfWork<{ readonly approvalGrants: ApprovalGrantStore; readonly audit: AuditLog }>;
}

/** What was allowed for sessions and holds: of one's own sessions or, with `approval:manage`, of all. */
export async function listApprovalGrants({ unitOfWork }: ApprovalRuleDependencies, actor: Actor): Promise<{ items: ApprovalGrantView[] }> {
  return { items: await unitOfWork.within(actor.scope, ({ approvalGrants }) => approvalGrants.list(reachOf(actor))) };
}

/** From here on such calls are asked about again. Throws `not_found`. */
export async function revokeApprovalGrant({ unitOfWork }: ApprovalRuleDependencies, actor: Actor, id: Id<'approvalGrant'>): Promise<void> {
  await unitOfWork.within(actor.scope, async ({ approvalGrants, audit }) => {
    if (!(await approvalGrants.revoke(id, actor.scope.userId, reachOf(actor))))
      throw new AppError({ code: 'not_found', message: 'Nothing of this kind is allowed any more.' });
    await audit.record({ type: 'approval-grant.revoked', target: { kind: 'approval-grant', id } });
  });
}

function reachOf(actor: Actor): Id<'user'> | 'anybody' {
  return hasPermission(actor, 'approval:manage') ? 'anybody' : actor.scope.userId;
}
