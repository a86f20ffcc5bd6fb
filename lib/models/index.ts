export { estimateTokens, estimateUsage } from './domain/estimate-tokens.ts';
export { isRetryable, ModelError, type ModelErrorKind } from './domain/model-error.ts';
export type { ModelSpec, ProviderKind } from './domain/model-spec.ts';
export { keyContext, type StoredProvider } from './domain/stored-provider.ts';
export { costMicros, type Price } from './domain/price.ts';
export type { AssistantPart, ExposedTool, PromptMessage, ReasoningPart, ToolResultPart } from './domain/prompt.ts';
export { LONGEST_WAIT_MS, nextWaitMs, readRetryAfter } from './domain/retry-after.ts';
export { addUsage, NO_USAGE, totalTokens, type Usage } from './domain/usage.ts';
export type { FinishReason, LanguageModel, ModelChoice, ModelPart, ModelRequest, ModelSource } from './ports.ts';
