import type { ModelCall } from '#lib/agents/index.ts';
import type { AuditEntry } from '#lib/audit/index.ts';
import type { Approval, InvocationRecord, TransitionRecord } from '#lib/capabilities/index.ts';
import type { Id, JsonObject } from '#lib/kernel/index.ts';
import type { RunEventType } from '../contract.ts';
import type { CompactionRecord } from './compaction-record.ts';
import type { ExecutionPlan } from './plan.ts';
import type { Question, RunState } from './run.ts';

export interface RunEventEntry {
  readonly type: RunEventType;
  readonly at: Date;
  readonly payload: JsonObject;
}

/** Columns of the run that a boundary may set; an absent key leaves the column as it is. */
export interface RunPatch {
  readonly state?: RunState;
  readonly path?: 'deterministic' | 'llm';
  readonly graph?: string;
  readonly pathReason?: { readonly code: string; readonly text: string };
  readonly ontologyRevision?: string;
  readonly plan?: ExecutionPlan;
  readonly answer?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly stepCount?: number;
  readonly callsSucceeded?: number;
  readonly callsFailed?: number;
  readonly workedMs?: number;
  readonly endedAt?: Date;
}

/** A model call with what it cost; null without a price. */
export interface PricedModelCall extends Omit<ModelCall, 'sent' | 'place'> {
  /** What it was for. */
  readonly scene: 'answer' | 'summary';
  readonly cost: { readonly micros: number; readonly currency: string } | null;
}

/**
 * What one write of a run commits together: its own columns, its events, the audit rows and whatever else became true at
 * this point. All of it lands or none of it, and only while the writer's epoch is the run's.
 */
export interface Boundary {
  readonly run?: RunPatch;
  readonly events?: readonly RunEventEntry[];
  readonly audit?: readonly AuditEntry[];
  readonly invocations?: readonly InvocationRecord[];
  readonly transitions?: readonly TransitionRecord[];
  readonly nodes?: readonly { readonly path: string; readonly output: JsonObject }[];
  readonly modelCalls?: readonly PricedModelCall[];
  readonly question?: Question;
  /** What had no room any more, and what it came to. */
  readonly compactions?: readonly CompactionRecord[];
  /** Calls that somebody has to decide about, each within its time by the database's clock. */
  readonly approvals?: readonly (Approval & { readonly windowMs: number })[];
  /**
   * What the session's own log is told. The session moves by its `session-state` entries and in no other way (requirement
   * H-12): the first begins at the state it is found in, one that would change nothing is left out, and a closed session does not move.
   */
  readonly session?: { readonly events: readonly { type: string; payload: JsonObject }[] };
  /** The answer as the transcript keeps it. */
  readonly message?: { readonly id: Id<'message'>; readonly text: string; readonly state: 'complete' | 'stopped' | 'failed' };
  /** The exchange as the model's memory keeps it; USER and ASSISTANT rows under the session's next turn. */
  readonly exchange?: { readonly agentId: string; readonly user: string; readonly assistant: string };
  /**
   * Give back what the calls of this boundary held of budgets, or all that the run holds where its state becomes another than
   * RUNNING, and count what they used. Absent: where the state is set.
   */
  readonly settlesBudgets?: boolean;
  /** Refuse the write once a stop was asked for: nothing new may begin. */
  readonly refuseWhenCancelled?: boolean;
}

/** Whether a boundary adds to the log and does nothing else, as text does while it flows. */
export function isEventsOnly({ events, ...rest }: Boundary): boolean {
  return (events ?? []).length > 0 && Object.values(rest).every(isEmpty);
}

function isEmpty(part: unknown): boolean {
  return !part || (typeof part === 'object' && Object.keys(part).length === 0);
}

/** Two boundaries as one write, `first` before `second`. */
export function mergeBoundaries(first: Boundary, second: Boundary): Boundary {
  const session = second.session ? { events: [...(first.session?.events ?? []), ...second.session.events] } : first.session;
  const question = second.question ?? first.question;
  const message = second.message ?? first.message;
  const exchange = second.exchange ?? first.exchange;
  const settles = [first.settlesBudgets, second.settlesBudgets].filter((said) => said !== undefined);
  return {
    run: { ...first.run, ...second.run },
    events: [...(first.events ?? []), ...(second.events ?? [])],
    audit: [...(first.audit ?? []), ...(second.audit ?? [])],
    invocations: lastOfEach([...(first.invocations ?? []), ...(second.invocations ?? [])]),
    transitions: [...(first.transitions ?? []), ...(second.transitions ?? [])],
    nodes: [...(first.nodes ?? []), ...(second.nodes ?? [])],
    modelCalls: [...(first.modelCalls ?? []), ...(second.modelCalls ?? [])],
    compactions: [...(first.compactions ?? []), ...(second.compactions ?? [])],
    ...(question && { question }),
    approvals: [...(first.approvals ?? []), ...(second.approvals ?? [])],
    ...(session && { session }),
    ...(message && { message }),
    ...(exchange && { exchange }),
    ...(settles.length > 0 && { settlesBudgets: settles.includes(true) }),
    refuseWhenCancelled: (first.refuseWhenCancelled ?? false) || (second.refuseWhenCancelled ?? false),
  };
}

/** One row an invocation: a statement may not touch a row twice. */
function lastOfEach(records: readonly InvocationRecord[]): InvocationRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
