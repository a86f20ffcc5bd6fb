import type { JsonObject } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { decideAccess } from './domain/access.ts';
import { type Approval, ruleOnCall } from './domain/approval.ts';
import { hashArguments } from './domain/invocation.ts';
import type { ApprovalNeed, InvocationRequest, InvokerDependencies, ReadyCapability, Refusal } from './invocation-request.ts';
import type { UsableCapability } from './registry.ts';

/** What the gates let through, or where they stopped. */
export type Passage =
  | { readonly kind: 'open'; readonly capability: ReadyCapability; readonly because: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'waits'; readonly need: ApprovalNeed };

/** The gates before a call may run, in the order that `design.md` fixes: lookup, permission, handler, arguments, approval, budget. */
export async function passGates(
  { validator, maxCallsPerRun }: InvokerDependencies,
  request: InvocationRequest,
  actor: Actor,
  found: UsableCapability | undefined,
  args: JsonObject,
): Promise<Passage> {
  const id = request.capabilityId;
  const access = decideAccess(found, actor.permissions);
  if (!found || (!access.isAllowed && access.rule === 'unknown')) {
    return refused({ code: 'unknown_capability', message: `unknown capability: ${id}`, audit: 'capability.unknown' });
  }
  if (!access.isAllowed && access.rule === 'lacking') {
    const lacking = [...access.lacking];
    const message = `permission denied: ${id} needs ${lacking.join(', ')}`;
    return refused({ code: 'permission_denied', message, audit: 'capability.denied', details: { lacking } });
  }
  if (!access.isAllowed) {
    return refused({ code: 'capability_without_handler', message: `no handler for capability: ${id}`, audit: 'capability.unhandled' });
  }
  const capability = found as ReadyCapability;
  const validation = validator.validate(capability.metadata.inputSchema, args);
  if (!validation.ok) {
    const problems = validation.problems.map(({ path, message }) => `${path || 'arguments'} ${message}`);
    const message = `invalid arguments for ${id}: ${problems.join('; ')}`;
    return refused({ code: 'invalid_arguments', message, audit: 'capability.rejected' });
  }
  const consent = await passConsent(request, capability, args);
  if (consent.kind !== 'open') return consent;
  if (request.callsSoFar >= maxCallsPerRun) {
    const message = `budget exceeded: a run may make ${maxCallsPerRun} calls`;
    return refused({ code: 'budget_exceeded', message, audit: 'capability.denied' });
  }
  return consent;
}

async function passConsent(request: InvocationRequest, capability: ReadyCapability, args: JsonObject): Promise<Passage> {
  const { metadata } = capability;
  const { consent, existing } = request;
  const rules = (await consent?.rulesFor(metadata)) ?? { policy: null, grants: [] };
  const ruling = ruleOnCall({
    metadata,
    args,
    argumentsHash: hashArguments(metadata.version, args),
    ...rules,
    approval: consent?.approval ?? null,
    hasOutsideContent: consent?.hasOutsideContent ?? false,
  });
  if (ruling.kind === 'forbidden') {
    const message = `forbidden by policy: ${metadata.id} may not be called here`;
    return refused({ code: 'forbidden_by_policy', message, audit: 'capability.denied' });
  }
  if (ruling.kind === 'refused') return refused(refusalBy(ruling.approval));
  // A call that has begun was allowed to: what a crash has left of it is another question.
  if (ruling.kind === 'run' || (existing?.attempt ?? 0) > 0) {
    return { kind: 'open', capability, because: ruling.kind === 'run' ? ruling.because : 'allowed before' };
  }
  return { kind: 'waits', need: { reason: ruling.reason, needsOther: ruling.needsOther, risk: metadata.sideEffect } };
}

/** Data for the model or the plan: it can choose another way, and is told not to insist. */
function refusalBy({ capabilityId, state, decidedBy, note }: Approval): Refusal {
  if (state === 'EXPIRED') {
    const message = `not allowed: nobody decided about ${capabilityId} in time`;
    return { code: 'approval_expired', message, audit: 'capability.denied' };
  }
  const who = state === 'WITHDRAWN' || decidedBy === null ? 'the question was withdrawn' : `${decidedBy} said no`;
  const message = `not allowed: ${capabilityId}, ${who}${note ? `: ${note}` : ''}`;
  return { code: 'approval_denied', message, audit: 'capability.denied' };
}

function refused(refusal: Refusal): Passage {
  return { kind: 'refused', refusal };
}
