import type { JsonObject } from '#lib/kernel/index.ts';
import type { AssistantPart, FinishReason, PromptMessage, Usage } from '#lib/models/index.ts';

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
  /** What was sent: the turn's own messages and all since. */
  readonly sent: readonly PromptMessage[];
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
