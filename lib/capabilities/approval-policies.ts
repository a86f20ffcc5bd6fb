import type { AuditLog } from '#lib/audit/index.ts';
import { AppError, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { ApprovalPolicyView, SetApprovalPolicy } from './contract.ts';
import type { CapabilityMetadata } from './domain/capability.ts';
import type { ApprovalPolicyStore } from './ports.ts';
import type { CapabilityRegistry } from './registry.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork<{ readonly approvalPolicies: ApprovalPolicyStore; readonly audit: AuditLog }>;
  readonly registry: Pick<CapabilityRegistry, 'list'>;
}

/** Every capability of the tenant with what is set for it, the riskiest first. */
export async function listApprovalPolicies({ unitOfWork, registry }: Dependencies, actor: Actor): Promise<{ items: ApprovalPolicyView[] }> {
  requirePermission(actor, 'capability:read');
  const [capabilities, policies] = await Promise.all([
    registry.list(actor.scope.tenantId),
    unitOfWork.within(actor.scope, ({ approvalPolicies }) => approvalPolicies.list()),
  ]);
  const set = new Map(policies.map((policy) => [policy.capabilityId, policy]));
  return {
    items: capabilities
      .filter(({ status }) => status !== 'disabled')
      .sort((a, b) => RISKS.indexOf(a.sideEffect) - RISKS.indexOf(b.sideEffect) || (a.id < b.id ? -1 : 1))
      .map((capability) => toView(capability, set.get(capability.id) ?? { mode: null, needsOther: false })),
  };
}

/** Holds from the next call on. Throws `unknown_capability`. */
export async function setApprovalPolicy(
  { unitOfWork, registry }: Dependencies,
  actor: Actor,
  capabilityId: string,
  { mode, needsOther }: SetApprovalPolicy,
): Promise<ApprovalPolicyView> {
  requirePermission(actor, 'approval:manage');
  const capability = (await registry.list(actor.scope.tenantId)).find(({ id }) => id === capabilityId);
  if (!capability) throw new AppError({ code: 'unknown_capability', message: `unknown capability: ${capabilityId}` });
  await unitOfWork.within(actor.scope, async ({ approvalPolicies, audit }) => {
    const before = (await approvalPolicies.list()).find((policy) => policy.capabilityId === capabilityId);
    await approvalPolicies.put({ capabilityId, mode, needsOther }, actor.scope.userId);
    await audit.record({
      type: 'approval-policy.updated',
      target: { kind: 'capability', id: capabilityId },
      details: {
        before: { mode: before?.mode ?? null, needsOther: before?.needsOther ?? false },
        after: { mode, needsOther },
      },
    });
  });
  return toView(capability, { mode, needsOther });
}

const RISKS: readonly CapabilityMetadata['sideEffect'][] = ['destructive', 'write', 'read'];

function toView(
  { id, title, sideEffect }: CapabilityMetadata,
  { mode, needsOther }: Pick<ApprovalPolicyView, 'mode' | 'needsOther'>,
): ApprovalPolicyView {
  return { capabilityId: id, title: { en: title.en, 'zh-CN': title['zh-CN'] }, sideEffect, mode, needsOther };
}
