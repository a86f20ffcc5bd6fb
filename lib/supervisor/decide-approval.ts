import { type ArgumentValidator, type CapabilityRegistry, hashArguments } from '#lib/capabilities/index.ts';
import type { RunEngine } from '#lib/durable/index.ts';
import { AppError, faultPoint, type Id, type JsonObject } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, hasPermission, requirePermission } from '#lib/tenancy/index.ts';
import type { ApprovalView, DecideApproval } from './contract.ts';
import type { ApprovalDecision, ApprovalGate, ApprovalReader, DueApprovalReader } from './ports.ts';

export interface DecideDependencies {
  readonly approvals: ApprovalReader;
  readonly approvalGate: ApprovalGate;
  readonly registry: Pick<CapabilityRegistry, 'find'>;
  readonly validator: ArgumentValidator;
  readonly engine: Pick<RunEngine, 'enqueue' | 'wake'>;
}

/**
 * Decides about a call that waits (requirement H-13). Whoever asked for the run decides, and everybody with
 * `approval:decide`; with four eyes, everybody but whoever asked, in the console as by the API. A key needs the right for its
 * person's runs too: what asks by itself should not allow itself. Throws `not_found` where the reader may not know of it,
 * `permission_denied`, `invalid_arguments`, `invalid_request`, and `already_decided` naming who was faster.
 */
export async function decideApproval(
  { approvals, approvalGate, registry, validator, engine }: DecideDependencies,
  actor: Actor,
  id: Id<'approval'>,
  request: DecideApproval,
): Promise<ApprovalView> {
  const approval = await approvals.find(actor.scope, id);
  const isOwn = approval?.requestedBy.userId === actor.scope.userId;
  if (!approval || (!isOwn && !hasPermission(actor, 'approval:decide')))
    throw new AppError({ code: 'not_found', message: 'There is no such approval.' });
  if (actor.kind === 'api-key') requirePermission(actor, 'approval:decide');
  if (isOwn && approval.needsOther) {
    throw new AppError({
      code: 'permission_denied',
      message: 'Somebody else has to decide about this: it takes four eyes.',
      details: { permission: 'approval:decide', rule: 'four-eyes' },
    });
  }
  const by = { by: actor.scope.userId, actor: auditedAs(actor) };
  const decision: ApprovalDecision =
    request.decision === 'deny'
      ? { ...by, kind: 'deny', note: request.note || null }
      : { ...by, kind: 'allow', ...(await readConsent({ registry, validator }, actor, approval, request)) };
  const decided = await approvalGate.decide(actor.scope, id, decision, (transaction, { runId, segment }) =>
    engine.enqueue(transaction, {
      tenantId: actor.scope.tenantId,
      sessionId: approval.sessionId as Id<'session'>,
      runId,
      number: segment,
    }),
  );
  faultPoint('approval.decided');
  engine.wake();
  return decided;
}

async function readConsent(
  { registry, validator }: Pick<DecideDependencies, 'registry' | 'validator'>,
  actor: Actor,
  approval: ApprovalView,
  request: Extract<DecideApproval, { decision: 'allow' }>,
): Promise<Omit<Extract<ApprovalDecision, { kind: 'allow' }>, 'by' | 'actor' | 'kind'>> {
  const { extent, sameArguments } = request;
  if (extent === 'session' && (approval.risk === 'destructive' || approval.needsOther)) {
    const why = approval.risk === 'destructive' ? 'what cannot be undone' : 'what takes four eyes';
    throw new AppError({ code: 'invalid_request', message: `Calls of ${why} are allowed one by one.`, details: { path: 'extent' } });
  }
  const args = (request.arguments ?? approval.arguments) as JsonObject;
  const changed = request.arguments ? await checkArguments({ registry, validator }, actor, approval, args) : null;
  const fixed = sameArguments.filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name]] as const);
  return { extent, changed, sameArguments: Object.fromEntries(fixed) };
}

/** What a person writes is checked as what a model writes is. */
async function checkArguments(
  { registry, validator }: Pick<DecideDependencies, 'registry' | 'validator'>,
  actor: Actor,
  { capabilityId, capabilityVersion }: ApprovalView,
  args: JsonObject,
): Promise<{ arguments: JsonObject; argumentsHash: string }> {
  const capability = await registry.find(actor.scope.tenantId, capabilityId);
  if (!capability || capability.metadata.version !== capabilityVersion)
    throw new AppError({
      code: 'conflict',
      message: `${capabilityId} has changed since this was asked. Refuse the call, and have it made again.`,
    });
  const validation = validator.validate(capability.metadata.inputSchema, args);
  if (!validation.ok) {
    throw new AppError({
      code: 'invalid_arguments',
      message: `These arguments do not fit ${capabilityId}: ${validation.problems.map(({ path, message }) => `${path || 'arguments'} ${message}`).join('; ')}.`,
      details: { problems: validation.problems.map((problem) => ({ ...problem })) },
    });
  }
  return { arguments: args, argumentsHash: hashArguments(capabilityVersion, args) };
}

/** Ends approvals whose time is over; their runs go on without the calls. Safe in several processes at once. */
export async function expireApprovals({
  due,
  approvalGate,
  engine,
}: {
  readonly due: DueApprovalReader;
  readonly approvalGate: ApprovalGate;
  readonly engine: Pick<RunEngine, 'enqueue' | 'wake'>;
}): Promise<void> {
  for (const { tenantId, sessionId, runId } of await due.listDueApprovals(100)) {
    const isMoved = await approvalGate.expire({ tenantId }, runId, (transaction, { segment }) =>
      engine.enqueue(transaction, { tenantId, sessionId, runId, number: segment }),
    );
    if (isMoved) engine.wake();
  }
}
