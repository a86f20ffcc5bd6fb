import type { ErrorCode } from '#lib/kernel/index.ts';
import { passGates } from './call-gates.ts';
import type { InvocationRecord } from './domain/invocation.ts';
import type { InvocationOutcome, InvocationRequest, InvokerDependencies } from './invocation-request.ts';
import { OpenCall } from './open-call.ts';
import { runHandler } from './run-handler.ts';

export interface Invoker {
  invoke(request: InvocationRequest): Promise<InvocationOutcome>;
}

/**
 * The one door to every capability, for planned and model-made calls alike (requirements P-16, P-17): lookup, permission,
 * handler, argument validation, approval, budget, run, outcome. Each refusal and each outcome is an audit row.
 */
export function createInvoker(dependencies: InvokerDependencies): Invoker {
  return {
    async invoke(request) {
      const { actor, existing } = request;
      if (!actor) return refuseWithoutTenant(dependencies, request);
      const ended = endedEarlier(existing);
      if (ended) return ended;
      const isInScope = request.onlyIds?.includes(request.capabilityId) ?? true;
      const found = isInScope ? await dependencies.registry.find(actor.scope.tenantId, request.capabilityId) : undefined;
      const call = new OpenCall(dependencies, request, found?.metadata);
      // Those on record: somebody may have changed them before allowing the call.
      const args = call.record.arguments;
      const passage = await passGates(dependencies, request, actor, found, args);
      if (passage.kind === 'refused') return call.refuse(passage.refusal);
      if (passage.kind === 'waits') return call.wait(passage.need);
      if (request.kept) return call.answer(request.kept);
      return runHandler(dependencies, { request, actor, capability: passage.capability, args, call, because: passage.because });
    },
  };
}

async function refuseWithoutTenant({ platformAudit }: InvokerDependencies, request: InvocationRequest): Promise<InvocationOutcome> {
  await platformAudit.record({
    type: 'capability.denied',
    target: { kind: 'capability', id: request.capabilityId },
    actor: { kind: 'unknown', id: 'unknown' },
    details: { reason: 'tenant context missing' },
  });
  return { status: 'refused', invocation: null, code: 'tenant_context_missing', message: 'tenant context missing' };
}

function endedEarlier(existing: InvocationRecord | undefined): InvocationOutcome | null {
  if (existing?.state === 'SUCCEEDED') {
    const { output, text } = existing.result ?? { output: {}, text: '' };
    return { status: 'succeeded', invocation: existing, output, text };
  }
  if (existing?.state === 'FAILED') {
    const error = existing.error ?? { code: 'capability_failed', message: 'The call failed.' };
    return { status: 'failed', invocation: existing, code: error.code as ErrorCode, message: error.message };
  }
  return null;
}
