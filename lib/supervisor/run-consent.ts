import type { AuditEntry } from '#lib/audit/index.ts';
import type { Approval, ApprovalNeed, CallConsent, CapabilityRegistry, ConsentRules, InvocationRecord } from '#lib/capabilities/index.ts';
import { type Id, newId, type TenantScope } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { ApprovalView } from './contract.ts';
import type { RunEventEntry } from './domain/boundary.ts';
import type { Run } from './domain/run.ts';
import { RunMustWait } from './domain/run-must-wait.ts';
import type { RunRecords } from './ports.ts';
import type { RunWriter } from './run-writer.ts';

/** What holds for calls of a capability in a session, as it is now. */
export interface ConsentRuleSource {
  read(scope: TenantScope, of: { readonly sessionId: Id<'session'>; readonly capabilityId: string }): Promise<ConsentRules>;
}

export interface RunConsentInputs {
  readonly run: Run;
  readonly records: Pick<RunRecords, 'invocations' | 'approvals' | 'policies'>;
  readonly writer: Pick<RunWriter, 'calls'>;
  readonly registry: Pick<CapabilityRegistry, 'describe'>;
  readonly rules: ConsentRuleSource;
}

/** What people have decided about the calls of a run, and what they will be asked when it waits. */
export class RunConsent {
  readonly #inputs: RunConsentInputs;
  readonly #needed = new Map<Id<'invocation'>, Approval>();
  /** Whose run it is, as they are called; set once the segment knows. */
  askedFor: Pick<Actor, 'displayName'> | null = null;
  /** Set when a model is told words of others before it begins: passages of documents, say. */
  hasOutsideContext = false;

  constructor(inputs: RunConsentInputs) {
    this.#inputs = inputs;
  }

  /** The calls that the run cannot go on without a decision about. */
  get needed(): readonly Approval[] {
    return [...this.#needed.values()];
  }

  of(existing: InvocationRecord | undefined): CallConsent {
    const { run, records, rules } = this.#inputs;
    return {
      approval: (existing && records.approvals.get(existing.id)) ?? null,
      hasOutsideContent: this.hasOutsideContext || this.#hasReadFromOutside(),
      rulesFor: async ({ id, sideEffect }) =>
        // What changes nothing is held to what was set when the segment began: it costs no reading.
        sideEffect === 'read'
          ? { policy: records.policies.get(id) ?? null, grants: [] }
          : rules.read({ tenantId: run.tenantId, userId: run.userId }, { sessionId: run.sessionId, capabilityId: id }),
    };
  }

  /** Keeps what has to be decided; throw what it returns. */
  mustAsk(invocation: InvocationRecord, need: ApprovalNeed): RunMustWait {
    this.#needed.set(invocation.id, {
      ...need,
      id: newId('approval'),
      runId: this.#inputs.run.id,
      invocationId: invocation.id,
      capabilityId: invocation.capabilityId,
      capabilityVersion: invocation.capabilityVersion ?? '',
      arguments: invocation.arguments,
      argumentsHash: invocation.argumentsHash,
      state: 'OPEN',
      decidedBy: null,
      note: null,
    });
    return new RunMustWait(null);
  }

  /** What readers of the run hear of it. */
  requests(at: Date, windowMs: number): RunEventEntry[] {
    const { run } = this.#inputs;
    return this.needed.map((approval) => {
      const { decidedBy: _, argumentsHash: __, ...asked } = approval;
      const payload: ApprovalView = {
        ...asked,
        sessionId: run.sessionId,
        proposedArguments: null,
        requestedBy: { userId: run.userId, name: this.askedFor?.displayName ?? '' },
        createdAt: at.toISOString(),
        expiresAt: new Date(at.getTime() + windowMs).toISOString(),
        decidedBy: null,
        decidedAt: null,
        extent: null,
      };
      return { type: 'approval-requested', at, payload: { ...payload, arguments: approval.arguments, proposedArguments: null } };
    });
  }

  auditRows(): AuditEntry[] {
    return this.needed.map(({ id, runId, invocationId, capabilityId, argumentsHash, risk, reason }) => ({
      type: 'approval.requested',
      target: { kind: 'approval', id },
      runId,
      details: { invocationId, capabilityId, argumentsHash, risk, reason },
    }));
  }

  /** Who wrote an unknown tool's answer is unknown: as good as from outside. */
  #hasReadFromOutside(): boolean {
    const { run, writer, registry } = this.#inputs;
    return [...writer.calls.values()].some(
      ({ state, attempt, capabilityId }) =>
        // Why a call failed may be told in their words too.
        (state === 'SUCCEEDED' || (state === 'FAILED' && attempt > 0)) &&
        registry.describe(run.tenantId, capabilityId)?.contentOrigin !== 'own',
    );
  }
}
