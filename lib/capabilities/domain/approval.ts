import { canonicalJson, defineTransitions, type Id, type Json, type JsonObject } from '#lib/kernel/index.ts';
import type { CapabilityMetadata, SideEffect } from './capability.ts';

export type ApprovalState = 'OPEN' | 'APPROVED' | 'DENIED' | 'EXPIRED' | 'WITHDRAWN';

/** Decided once: what is not open stays as it is (requirement H-13). */
export const approvalTransitions = defineTransitions<ApprovalState>('approval', {
  OPEN: ['APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN'],
  APPROVED: [],
  DENIED: [],
  EXPIRED: [],
  WITHDRAWN: [],
});

/** Whether people are asked before a capability is called: never, each time, or it is not called at all. */
export type ApprovalMode = 'never' | 'ask' | 'forbid';

/** What a tenant has set for a capability; without one, its risk decides. */
export interface ApprovalPolicy {
  readonly capabilityId: string;
  /** null: by risk. */
  readonly mode: ApprovalMode | null;
  /** Four eyes: whoever asked for the call may not allow it. */
  readonly needsOther: boolean;
}

/** What somebody has allowed for the rest of a session. Never for a destructive capability. */
export interface ApprovalGrant {
  readonly id: Id<'approvalGrant'>;
  readonly capabilityVersion: string;
  /** Arguments that must be exactly these; any other argument is free. */
  readonly sameArguments: JsonObject;
}

/** Why people are asked. */
export type ApprovalReason = 'destructive' | 'policy' | 'outside-content';

/** A call that waits for a decision, or the decision that it got. Bound to exactly this tool version and these arguments. */
export interface Approval {
  readonly id: Id<'approval'>;
  readonly runId: Id<'run'>;
  readonly invocationId: Id<'invocation'>;
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly arguments: JsonObject;
  readonly argumentsHash: string;
  readonly risk: SideEffect;
  readonly reason: ApprovalReason;
  readonly needsOther: boolean;
  readonly state: ApprovalState;
  /** Who has decided, as they are called; null where nobody did. */
  readonly decidedBy: string | null;
  /** What they said when they refused. */
  readonly note: string | null;
}

export type ApprovalRuling =
  | { readonly kind: 'run'; readonly because: string }
  | { readonly kind: 'ask'; readonly reason: ApprovalReason; readonly needsOther: boolean }
  | { readonly kind: 'forbidden' }
  /** Decided, and not in favour. */
  | { readonly kind: 'refused'; readonly approval: Approval };

/**
 * Whether a call whose arguments have been validated may run (`design.md` section 5). Reading never asks by itself; writing
 * asks once content from outside has entered the run, destroying always; what a tenant has set goes before either. A decision
 * counts for the hash it was made for and no other: a missing one is a refusal until somebody decides.
 */
export function ruleOnCall({
  metadata,
  args,
  argumentsHash,
  policy,
  grants,
  approval,
  hasOutsideContent,
}: {
  readonly metadata: Pick<CapabilityMetadata, 'id' | 'version' | 'sideEffect'>;
  readonly args: JsonObject;
  readonly argumentsHash: string;
  readonly policy: ApprovalPolicy | null;
  readonly grants: readonly ApprovalGrant[];
  /** The newest of this call. */
  readonly approval: Approval | null;
  readonly hasOutsideContent: boolean;
}): ApprovalRuling {
  if (policy?.mode === 'forbid') return { kind: 'forbidden' };
  if (approval && approval.state !== 'APPROVED' && approval.state !== 'OPEN') return { kind: 'refused', approval };
  if (approval?.state === 'APPROVED' && approval.argumentsHash === argumentsHash)
    return { kind: 'run', because: approval.decidedBy === null ? 'allowed' : `allowed by ${approval.decidedBy}` };
  const needsOther = policy?.needsOther ?? false;
  const reason = reasonToAsk(metadata.sideEffect, policy, hasOutsideContent);
  if (reason === null) return { kind: 'run', because: policy?.mode === 'never' ? 'allowed by policy' : 'allowed' };
  if (!needsOther && metadata.sideEffect !== 'destructive' && grants.some((grant) => covers(grant, metadata.version, args)))
    return { kind: 'run', because: 'allowed for this session' };
  return { kind: 'ask', reason, needsOther };
}

function reasonToAsk(sideEffect: SideEffect, policy: ApprovalPolicy | null, hasOutsideContent: boolean): ApprovalReason | null {
  if (policy?.mode === 'never') return null;
  if (sideEffect === 'destructive') return 'destructive';
  if (policy?.mode === 'ask' || policy?.needsOther) return 'policy';
  return sideEffect === 'write' && hasOutsideContent ? 'outside-content' : null;
}

/** A grant is for one version of the tool, and for calls that have the arguments it names. */
function covers({ capabilityVersion, sameArguments }: ApprovalGrant, version: string, args: JsonObject): boolean {
  if (capabilityVersion !== version) return false;
  return Object.entries(sameArguments).every(
    ([name, value]) => Object.hasOwn(args, name) && canonicalJson(args[name] as Json) === canonicalJson(value as Json),
  );
}
