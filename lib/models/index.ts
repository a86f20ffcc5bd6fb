export type { BudgetView, ModelPolicy, ProviderTestView } from './contract.ts';
export {
  answerTokensFor,
  type Budget,
  type BudgetClaim,
  type BudgetStanding,
  budgetsThatHold,
  claimOn,
  type ExpectedCall,
} from './domain/budget.ts';
export { sayRefusal, sayUnpriced } from './domain/budget-wording.ts';
export { budgetOf, type TokenBudget } from './domain/context-window.ts';
export { countMessage, countTools, estimateTokens, estimateUsage, rememberCounts, type TokenCounter } from './domain/estimate-tokens.ts';
export { isRetryable, ModelError, type ModelErrorKind } from './domain/model-error.ts';
export type { ModelSpec, ProviderKind } from './domain/model-spec.ts';
export { costMicros, type DatedPrice, datedPriceAt, type Price, priceOf } from './domain/price.ts';
export type { AssistantPart, ExposedTool, PromptMessage, ReasoningPart, ToolResultPart } from './domain/prompt.ts';
export { nextWaitMs } from './domain/retry-after.ts';
export { keyContext, type StoredProvider } from './domain/stored-provider.ts';
export { createTokenCalibration, type TokenCalibration } from './domain/token-calibration.ts';
export { totalTokens, type Usage } from './domain/usage.ts';
export { type EmbeddingDependencies, embedTexts } from './embed-texts.ts';
export { createBudget, deleteBudget, listBudgets, listSessionBudgets, setBudgetLimits } from './manage-budgets.ts';
export { createProvider, deleteProvider, getModels, setModelPolicy, testProvider, updateProvider } from './manage-providers.ts';
export type {
  BudgetLedger,
  BudgetRecord,
  BudgetStore,
  EmbeddingCall,
  EmbeddingCallStore,
  EmbeddingModel,
  FinishReason,
  KeySealer,
  LanguageModel,
  ModelChoice,
  ModelPart,
  ModelRequest,
  ModelSource,
  ModelStores,
  PricedModel,
  ProviderRecord,
  ProviderStore,
  ProviderTester,
  Reservation,
  ReservationRequest,
  TokenCounters,
} from './ports.ts';
