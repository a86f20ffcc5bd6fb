import type { ModelAsk } from './crash-model.ts';
import type { RecordedEffect } from './recorded-effect.ts';

/** What a point left behind, read from the database past the product's own code, and what the effects process counted. */
export interface Outcome {
  readonly runs: readonly OutcomeRun[];
  readonly events: readonly OutcomeEvent[];
  readonly invocations: readonly OutcomeInvocation[];
  readonly transitions: readonly OutcomeTransition[];
  readonly messages: readonly OutcomeMessage[];
  readonly memory: readonly OutcomeMemory[];
  readonly questions: readonly OutcomeQuestion[];
  readonly audit: readonly OutcomeAudit[];
  /** The engine's segments that have not ended. */
  readonly openSegments: readonly { readonly id: string; readonly status: string }[];
  readonly effects: readonly RecordedEffect[];
  readonly modelCalls: readonly OutcomeModelCall[];
  readonly approvals: readonly OutcomeApproval[];
  readonly compactions: readonly { readonly runId: string; readonly path: string }[];
  /** What runs hold of budgets though they are not at work, and what was counted as used; tokens. */
  readonly budgets: { readonly leftHeld: number; readonly used: number };
  /** What the model was asked, by its server. */
  readonly asks: readonly ModelAsk[];
}

export interface OutcomeModelCall {
  readonly runId: string;
  readonly path: string;
  readonly tokens: number;
}

export interface OutcomeApproval {
  readonly id: string;
  readonly runId: string;
  readonly invocationId: string | null;
  readonly state: string;
}

export interface OutcomeRun {
  readonly id: string;
  readonly sessionId: string;
  readonly state: string;
  readonly idempotencyKey: string | null;
  /** Of a task: the run that has handed it on. */
  readonly parentRunId: string | null;
  readonly input: string;
  readonly answer: string | null;
  readonly error: string | null;
  readonly eventSeq: number;
  readonly epoch: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

export interface OutcomeEvent {
  readonly runId: string;
  readonly seq: number;
  readonly type: string;
  readonly atMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OutcomeInvocation {
  readonly id: string;
  readonly runId: string;
  readonly step: number;
  readonly capabilityId: string;
  readonly state: string;
  readonly attempt: number;
  readonly label: string | null;
}

export interface OutcomeTransition {
  readonly invocationId: string;
  readonly seq: number;
  readonly from: string | null;
  readonly to: string;
  readonly attempt: number;
}

export interface OutcomeMessage {
  readonly runId: string;
  readonly role: string;
  readonly text: string;
}

export interface OutcomeMemory {
  readonly runId: string;
  readonly sessionId: string;
  readonly turnSeq: number;
  readonly role: string;
  readonly content: string;
}

export interface OutcomeQuestion {
  readonly id: string;
  readonly runId: string;
  readonly invocationId: string | null;
  readonly kind: string;
  readonly state: string;
  readonly answer: string | null;
}

export interface OutcomeAudit {
  readonly runId: string | null;
  readonly type: string;
  /** The invocation that a capability's row speaks of. */
  readonly invocationId: string | null;
  /** Of what the row speaks: an approval, say. */
  readonly targetId: string;
}
