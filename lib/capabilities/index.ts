export { listApprovalPolicies, setApprovalPolicy } from './approval-policies.ts';
export { agentsDelegateMetadata, createAgentsDelegate } from './builtin/agents-delegate.ts';
export { BUILT_IN_METADATA, createBuiltInCapabilities } from './builtin/built-in-capabilities.ts';
export type {
  CallScope,
  Evaluation,
  ExpressionEvaluator,
  FactMemory,
  FoundPassage,
  HandedTask,
  PassageSearch,
  RememberedFact,
  TaskRunner,
  UnitConverter,
} from './builtin/ports.ts';
export { instantOf } from './builtin/zoned-time.ts';
export { callDirectly, type DirectCall } from './call-directly.ts';
export { type CapabilityIndex, indexCapabilities, type TermMatch } from './discovery/capability-index.ts';
export { explainMatches, lexicalScore } from './discovery/discover-capabilities.ts';
export { scanTokens, type Token, tokenize } from './discovery/tokenizer.ts';
export {
  type Approval,
  type ApprovalGrant,
  type ApprovalMode,
  type ApprovalPolicy,
  type ApprovalReason,
  type ApprovalState,
} from './domain/approval.ts';
export {
  type ArgumentEvidence,
  type CompiledSchema,
  compileSchema,
  type Extraction,
  extractArguments,
} from './domain/argument-extraction.ts';
export { questionFor } from './domain/argument-hints.ts';
export { addDays, type CalendarDay, compareDays, dayIn, formatDay, weekdayOf } from './domain/calendar-day.ts';
export type {
  CallProgress,
  Capability,
  CapabilityCall,
  CapabilityHandler,
  CapabilityMetadata,
  CapabilityOutput,
  Idempotency,
  LocalisedText,
  ObjectSchema,
  SideEffect,
} from './domain/capability.ts';
export { CLOSING_COURTESIES, OPENING_COURTESIES } from './domain/filler-words.ts';
export { contains, foldText, overlaps, type Span } from './domain/folded-text.ts';
export { payloadStart } from './domain/free-text.ts';
export {
  hashArguments,
  type InvocationRecord,
  type InvocationState,
  type TransitionRecord,
} from './domain/invocation.ts';
export { KEYED_CALL_HOURS, type KeptResult, type KeyedCall } from './domain/keyed-call.ts';
export { REQUEST_WINDOW, type RequestFeatures, readRequestFeatures } from './domain/request-features.ts';
export { explainAccess } from './explain-access.ts';
export type {
  ApprovalNeed,
  CallConsent,
  ConsentRules,
  InvocationOutcome,
  InvocationRequest,
  InvokerDependencies,
} from './invocation-request.ts';
export { createInvoker, type Invoker } from './invoker.ts';
export { failUnstarted } from './open-call.ts';
export type {
  ApprovalPolicyStore,
  ArgumentValidator,
  CapabilitySource,
  EnabledPlugin,
  InvocationEvent,
  InvocationLedger,
  KeyedCallStore,
  LedgerEntry,
  PluginAccess,
  Validation,
} from './ports.ts';
export { type CapabilityRegistry, createCapabilityRegistry } from './registry.ts';
