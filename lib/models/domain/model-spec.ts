/** Which provider a model is reached through. `compatible` speaks OpenAI's chat completions under an address of its own. */
export type ProviderKind = 'openai' | 'anthropic' | 'compatible';

/** A model and how it is asked. An absent setting is the provider's default, never a value of ours (requirement F-05). */
export interface ModelSpec {
  readonly provider: ProviderKind;
  /** The provider's name for it: `gpt-5-mini`. */
  readonly model: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  /** How many tokens it can hold, where the tenant says so; ours alone, and never sent. */
  readonly contextTokens?: number;
}
