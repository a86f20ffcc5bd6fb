import { createHash } from 'node:crypto';
import { canonicalJson, defineTransitions, type Id, type JsonObject } from '#lib/kernel/index.ts';

export type InvocationState = 'REQUESTED' | 'ARGUMENTS_VALIDATED' | 'EXECUTING' | 'RETRY_WAIT' | 'SUCCEEDED' | 'FAILED';

/** Requirement H-11. EXECUTING -> EXECUTING is a call that a crash cut off and that may run again. */
export const invocationTransitions = defineTransitions<InvocationState>('invocation', {
  REQUESTED: ['ARGUMENTS_VALIDATED', 'FAILED'],
  ARGUMENTS_VALIDATED: ['EXECUTING', 'FAILED'],
  EXECUTING: ['EXECUTING', 'SUCCEEDED', 'FAILED', 'RETRY_WAIT'],
  RETRY_WAIT: ['EXECUTING', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
});

/** One call of one capability, as its row tells it. */
export interface InvocationRecord {
  readonly id: Id<'invocation'>;
  /** Where in the run the call stands; a repeated write of the same path is the same call. */
  readonly path: string;
  readonly step: number;
  readonly capabilityId: string;
  /** null when the capability is unknown. */
  readonly capabilityVersion: string | null;
  readonly state: InvocationState;
  readonly attempt: number;
  readonly arguments: JsonObject;
  readonly argumentsHash: string;
  readonly idempotencyKey: string;
  readonly result: { readonly output: JsonObject; readonly text: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
}

/** A stored move of an invocation (requirement H-11); `seq` counts from 1 within the invocation. */
export interface TransitionRecord {
  readonly invocationId: Id<'invocation'>;
  readonly seq: number;
  readonly from: InvocationState | null;
  readonly to: InvocationState;
  readonly attempt: number;
  readonly reason: string;
  readonly at: Date;
}

/** Binds a decision or a repeat to exactly this tool version and these arguments. */
export function hashArguments(capabilityVersion: string | null, args: JsonObject): string {
  return createHash('sha256')
    .update(`${capabilityVersion ?? ''}\n${canonicalJson(args)}`)
    .digest('hex');
}
