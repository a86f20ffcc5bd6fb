import type { AuditEntry, AuditLog } from '#lib/audit/index.ts';
import type { Clock, ErrorCode, Id, JsonObject } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { Approval, ApprovalGrant, ApprovalPolicy, ApprovalReason } from './domain/approval.ts';
import type { CallProgress, CapabilityMetadata } from './domain/capability.ts';
import type { InvocationRecord } from './domain/invocation.ts';
import type { KeptResult } from './domain/keyed-call.ts';
import type { ArgumentValidator, InvocationLedger } from './ports.ts';
import type { CapabilityRegistry, UsableCapability } from './registry.ts';

/** One call that a plan or a model asks for. */
export interface InvocationRequest {
  /** null where no tenant could be told: the call is refused and the platform's log takes the row. */
  readonly actor: Actor | null;
  readonly capabilityId: string;
  /** Absent arguments are an empty object. */
  readonly arguments?: JsonObject;
  readonly runId: Id<'run'>;
  /** Where in the run the call stands. */
  readonly path: string;
  /** By which what is called may know the call again; absent: run and path. */
  readonly idempotencyKey?: string;
  readonly step: number;
  /** How many calls the run has made before this one. */
  readonly callsSoFar: number;
  /** The capabilities of the run's preset: any other is as good as unknown. null or absent: no preset keeps to some. */
  readonly onlyIds?: readonly string[] | null;
  readonly ledger: InvocationLedger;
  readonly locale: 'en' | 'zh-CN';
  readonly timeZone: string;
  readonly signal: AbortSignal;
  /** The row that an earlier, cut off or waiting attempt left. */
  readonly existing?: InvocationRecord | undefined;
  /** What the person chose for a call whose outcome is unknown. */
  readonly resolution?: 'run-again' | 'skip' | undefined;
  /** What people have decided about this call, and what holds for calls like it; absent: risk alone decides. */
  readonly consent?: CallConsent | undefined;
  /** What an earlier call of the same key has answered: it is not made once more, but may still be refused. */
  readonly kept?: KeptResult | null;
  /** Receives the answer's text while the handler still works. */
  readonly onText?: (delta: string) => void;
  /** Hears how far the call has come, as often as the other side says; nothing after an attempt has ended. */
  readonly onProgress?: (progress: CallProgress) => void;
}

export interface CallConsent {
  /** The newest approval of this call. */
  readonly approval: Approval | null;
  /** Content of others has entered the run: what is asked for now may be asked for by it. */
  readonly hasOutsideContent: boolean;
  /** Read afresh where the call would change something. */
  readonly rulesFor: (metadata: CapabilityMetadata) => Promise<ConsentRules>;
}

export interface ConsentRules {
  readonly policy: ApprovalPolicy | null;
  /** What was allowed for the run's session. */
  readonly grants: readonly ApprovalGrant[];
}

/** What somebody has to decide before the call may run. */
export interface ApprovalNeed {
  readonly reason: ApprovalReason;
  readonly needsOther: boolean;
  readonly risk: CapabilityMetadata['sideEffect'];
}

/** How a call ended. A refusal or failure is data for the planner or model; only a lost database or a fence is thrown. */
export type InvocationOutcome =
  | { readonly status: 'succeeded'; readonly invocation: InvocationRecord; readonly output: JsonObject; readonly text: string }
  | {
      readonly status: 'refused' | 'failed';
      readonly invocation: InvocationRecord | null;
      readonly code: ErrorCode;
      readonly message: string;
    }
  /** The call is valid and waits: have somebody decide, then call again with the decision. */
  | { readonly status: 'approval-needed'; readonly invocation: InvocationRecord; readonly need: ApprovalNeed }
  /** The process ended during a call that must not be repeated blindly: ask, then call again with a `resolution`. */
  | { readonly status: 'outcome-unknown'; readonly invocation: InvocationRecord }
  /** What the call has begun goes on by itself: wait for its end, then call again. */
  | { readonly status: 'waiting'; readonly invocation: InvocationRecord }
  /** The signal fired: the run was stopped or its time is up. */
  | { readonly status: 'aborted'; readonly invocation: InvocationRecord };

export interface InvokerDependencies {
  readonly registry: CapabilityRegistry;
  readonly validator: ArgumentValidator;
  readonly platformAudit: AuditLog;
  readonly clock: Clock;
  /** 0 to 1; spreads repeats. Absent: by chance. */
  readonly random?: () => number;
  /** Calls a run may make; the next one is refused. */
  readonly maxCallsPerRun: number;
}

export type ReadyCapability = UsableCapability & Required<Pick<UsableCapability, 'handler'>>;

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly audit: AuditEntry['type'];
  readonly details?: JsonObject;
}
