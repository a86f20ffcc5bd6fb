import type { JsonObject } from '#lib/kernel/index.ts';

/** What is sent to a model, in our terms. */
export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] };

export type AssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | ReasoningPart
  | { readonly type: 'tool-call'; readonly callId: string; readonly toolName: string; readonly arguments: JsonObject };

/**
 * Reasoning goes back unchanged to the provider it came from, with whatever signs it, and to no other (known fault K20).
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** `provider` of the spec that produced it. */
  readonly provider: string;
  /** What the provider attached to it, as it came: a signature, say. */
  readonly attached: JsonObject | null;
}

export interface ToolResultPart {
  readonly callId: string;
  readonly toolName: string;
  /** Text as the model reads it. */
  readonly text: string;
  readonly isError: boolean;
}

/** A tool as the model sees it: the exposed name is made safe for providers and mapped back to the capability. */
export interface ExposedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
