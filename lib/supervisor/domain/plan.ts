import type { JsonObject } from '#lib/kernel/index.ts';

/** What the planner takes the message to be after. */
export interface IntentAnalysis {
  /**
   * `task`: one or more capabilities answer it; `greeting`, `help` (what can you do?), `clarify` (a capability fits but
   * a needed argument is missing), `unsupported` (nothing here answers it), `empty`.
   */
  readonly kind: 'task' | 'greeting' | 'help' | 'clarify' | 'unsupported' | 'empty';
  /** 0 to 1. */
  readonly confidence: number;
  readonly rationale: string;
}

export interface PlanStep {
  readonly capabilityId: string;
  readonly rationale: string;
  readonly arguments: JsonObject;
  /** The part of the message this step answers. */
  readonly clause: string;
}

/** A capability that discovery weighed, with its score (0 to 1) and the reasons for it. */
export interface Candidate {
  readonly capabilityId: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** A stage of a preset's pipeline, and what came of it. */
export interface PlanStage {
  readonly id: string;
  readonly title: { readonly en: string; readonly 'zh-CN': string };
  /** `skipped`: the pipeline went another way. */
  readonly state: 'waiting' | 'done' | 'skipped';
  /** In the language of the message; '' until it is done. */
  readonly summary: string;
  /** 0 to 1; null where a stage has none. */
  readonly confidence: number | null;
  readonly reasons: readonly string[];
}

/** The plan of a run (requirement P-07). `summary` reads `kind (0.00): rationale -> N step(s)`. */
export interface ExecutionPlan {
  readonly intent: IntentAnalysis;
  readonly steps: readonly PlanStep[];
  readonly candidates: readonly Candidate[];
  readonly summary: string;
  /** For `clarify`: what to ask, per missing argument, with the capability that needs it. */
  readonly missing?: readonly { readonly capabilityId: string; readonly argument: string; readonly clause: string }[];
  /** Parts of the message that nothing here answers, beside the steps that were found: the answer should say so. */
  readonly unanswered?: readonly string[];
  /** Of a run that a pipeline answers; its steps are then the calls that the stages made. */
  readonly stages?: readonly PlanStage[];
}
