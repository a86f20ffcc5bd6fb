import type { JsonObject } from '#lib/kernel/index.ts';
import type { AssistantPart, ExposedTool, FinishReason, ModelSpec, PromptMessage, Usage } from '#lib/models/index.ts';

/** What a model answered to one call: enough to go on from, without asking again. */
export interface ModelResponse {
  readonly content: readonly AssistantPart[];
  /** Calls as the model wrote them; `content` holds those that could be read. */
  readonly calls: readonly { readonly callId: string; readonly toolName: string; readonly argumentsText: string }[];
  readonly finishReason: FinishReason;
  readonly rawReason: string | null;
  readonly usage: Usage;
}

export interface ModelCall {
  /** Where in the run the call stands; one record a path. */
  readonly path: string;
  readonly agentId: string;
  readonly provider: string;
  readonly model: string;
  /** Which of the models answered: 0 is the first, the others stand by. */
  readonly place: number;
  readonly sent: readonly PromptMessage[];
  /** What was sent, counted; null where nobody keeps the turn within a room. */
  readonly context: ContextUse | null;
  readonly response: ModelResponse;
  readonly startedAt: Date;
  readonly firstPartMs: number | null;
  readonly durationMs: number;
  readonly attempts: number;
}

/** A run's model calls. A call that has a record is not made again. */
export interface ModelCallRecords {
  find(path: string): ModelResponse | undefined;
  /** Kept with the next write: a call with effects commits it before it acts. */
  record(call: ModelCall): void;
}

/** Something a model may call. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  run(call: { readonly arguments: JsonObject; readonly path: string; readonly callId: string }): Promise<ToolOutcome>;
}

/** What the model reads. A refusal or failure is data: the model can choose another way. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** Where an agent's words go while it speaks. */
export interface AgentVoice {
  /** A part of the answer; `call` counts the agent's model calls from 0. */
  text(call: number, delta: string): void;
  reasoning(call: number, delta: string): void;
  /** A call is made again: what was heard of it is void. */
  restart(call: number): void;
}

/** What one call sends, in tokens as we count them, and what there is room for. */
export interface ContextUse {
  readonly windowTokens: number;
  /** What a prompt may take: the window without what is kept for the answer. */
  readonly limitTokens: number;
  readonly system: number;
  readonly summary: number;
  readonly history: number;
  readonly tools: number;
  /** Their sum by our estimate alone, before a provider's reports corrected it; null where a tokenizer counted. */
  readonly estimatedTokens: number | null;
  /** A budget’s soft limit was reached: the model was asked to be brief. */
  readonly isConcise?: boolean;
}

/** Keeps what is sent within the room of the model that it is sent to. */
export interface PromptKeeper {
  /**
   * What to send for a call at `path`, after the messages of `since`. Throws `message_too_large` when what must always be
   * sent has no room.
   */
  fit(call: {
    readonly since: readonly PromptMessage[];
    readonly tools: readonly ExposedTool[];
    readonly path: string;
    readonly spec: ModelSpec;
    /** Which of the models it is for. */
    readonly place: number;
  }): Promise<{ readonly messages: readonly PromptMessage[]; readonly context: ContextUse }>;
}

/** What a call may take of the budgets that hold for it. */
export interface CallAllowance {
  /** null: as much as the model's settings allow. */
  readonly maxOutputTokens: number | null;
  /** A soft limit is reached: the model is asked to be brief. */
  readonly isConcise: boolean;
}

/** The budgets of a run. What a call takes of them is settled with its record. */
export interface CallBudget {
  /** Before a model is asked. Throws `budget_exceeded` naming the limit. */
  reserve(call: {
    readonly path: string;
    readonly agentId: string;
    readonly spec: ModelSpec;
    /** Which of the models it is for. */
    readonly place: number;
    readonly inputTokens: number;
  }): Promise<CallAllowance>;
}
