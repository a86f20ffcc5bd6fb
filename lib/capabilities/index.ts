export type { Capability, CapabilityCall, CapabilityHandler, CapabilityMetadata, CapabilityOutput, Idempotency, LocalisedText, ObjectSchema, SideEffect } from './domain/capability.ts';
export { hashArguments, type InvocationRecord, type InvocationState, invocationTransitions, type TransitionRecord } from './domain/invocation.ts';
export { createInvoker, type InvocationOutcome, type InvocationRequest, type Invoker, type InvokerDependencies } from './invoker.ts';
export type { ArgumentValidator, InvocationEvent, InvocationLedger, LedgerEntry, Validation } from './ports.ts';
export { type CapabilityRegistry, createCapabilityRegistry } from './registry.ts';
