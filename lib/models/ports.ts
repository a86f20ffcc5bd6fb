import type { AuditLog } from '#lib/audit/index.ts';
import type { Id, JsonObject, TenantScope } from '#lib/kernel/index.ts';
import type { BudgetView, ModelPolicy, ProviderTestView } from './contract.ts';
import type { Budget, BudgetClaim, BudgetStanding } from './domain/budget.ts';
import type { TokenCounter } from './domain/estimate-tokens.ts';
import type { ModelSpec } from './domain/model-spec.ts';
import type { DatedPrice, Price } from './domain/price.ts';
import type { ExposedTool, PromptMessage, ReasoningPart } from './domain/prompt.ts';
import type { StoredProvider } from './domain/stored-provider.ts';
import type { Usage } from './domain/usage.ts';

/** One call of a model. */
export interface ModelRequest {
  readonly messages: readonly PromptMessage[];
  readonly tools?: readonly ExposedTool[];
  /** `none` forbids calls although tools are named; `required` demands one. */
  readonly toolChoice?: 'auto' | 'none' | 'required';
  /** No longer answer than this, whatever the model's settings allow. */
  readonly maxOutputTokens?: number;
  /** Asks for JSON of this schema, natively where the provider can. */
  readonly answerSchema?: { readonly name: string; readonly schema: JsonObject };
  readonly signal: AbortSignal;
  /** Where in its run the call stands; names it in logs and traces. */
  readonly path?: string;
}

/** Why a model stopped. `unknown` is a reason we have no word for, kept in `rawReason`. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'interrupted' | 'unknown';

export type ModelPart =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** A whole block of reasoning, as it must go back. */
  | { readonly type: 'reasoning'; readonly reasoning: ReasoningPart }
  /** A whole call; `argumentsText` is what the model wrote and may be no JSON. */
  | { readonly type: 'tool-call'; readonly callId: string; readonly toolName: string; readonly argumentsText: string }
  /** Always the last part. `usage` is null when the provider reported none. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly rawReason: string | null; readonly usage: Usage | null };

/**
 * One model, one call at a time, streamed: the loop is ours (requirement H-01). Yields parts as they come and ends with
 * `finish`. Throws `ModelError` when the provider refuses, is away, or breaks off; what was yielded before stands.
 */
export interface LanguageModel {
  readonly spec: ModelSpec;
  call(request: ModelRequest): AsyncGenerator<ModelPart, void, undefined>;
}

/** Which model a tenant's runs use, or why there is none. */
export interface ModelSource {
  find(scope: TenantScope): Promise<ModelChoice>;
}

/** A model with what its calls cost. */
export interface PricedModel {
  readonly model: LanguageModel;
  readonly price: Price | null;
  /** Prices that begin later. */
  readonly later?: readonly DatedPrice[];
}

/** A model that places texts in a space where what means the same lies near. */
export interface EmbeddingModel {
  readonly spec: Pick<ModelSpec, 'provider' | 'model'>;
  /**
   * A vector for each text, in their order, all of one length. `inputTokens` is null when the provider reported none. Throws
   * `ModelError` when the provider refuses, is away, or answers something else.
   */
  embed(request: {
    readonly texts: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly inputTokens: number | null }>;
}

/** An embedding call that is about to be made. What it may use is counted before it, and corrected when its answer is known. */
export interface EmbeddingCall {
  readonly id: Id<'embeddingCall'>;
  readonly spec: Pick<ModelSpec, 'provider' | 'model'>;
  /** `index`: passages of documents. `query`: what was asked. `test`: somebody tried the model. */
  readonly purpose: 'index' | 'query' | 'test';
  readonly textCount: number;
  /** As we count them. */
  readonly inputTokens: number;
  readonly price: Price | null;
  readonly startedAt: Date;
}

/** The embedding calls of one tenant, bound to a transaction. */
export interface EmbeddingCallStore {
  /** The budgets of the tenant, and of the person where one asks. */
  listBudgets(): Promise<Budget[]>;
  /** Writes the row and counts what the call may use. The standing of a budget that has not enough left, and then nothing is written. */
  open(call: EmbeddingCall, claims: readonly BudgetClaim[]): Promise<BudgetStanding | null>;
  /** What it used in the end; `outcome` is `ok` or the kind of its failure. */
  close(
    call: EmbeddingCall,
    end: { readonly inputTokens: number; readonly isEstimated: boolean; readonly outcome: string; readonly durationMs: number },
  ): Promise<void>;
}

export type ModelChoice =
  | {
      readonly status: 'available';
      readonly model: LanguageModel;
      /** null: no price is set, so no cost is known. */
      readonly price: Price | null;
      /** Prices that begin later. */
      readonly later?: readonly DatedPrice[];
      /** Asked in this order when the model fails before it has said anything. */
      readonly fallbacks?: readonly PricedModel[];
      /** Answer without a model when it fails before anything was said. */
      readonly fallsBack: boolean;
    }
  | { readonly status: 'unavailable'; readonly code: 'no-model' | 'model-disabled' };

/** A provider's row as people see it, key apart. */
export interface ProviderRecord extends StoredProvider {
  readonly name: string;
  readonly keyHint: string | null;
  readonly keySet: { readonly at: Date; readonly by: Id<'user'> | null } | null;
  readonly isDefault: boolean;
  readonly updatedAt: Date;
  readonly lastTest: ProviderTestView | null;
}

/** The providers of one tenant, bound to a transaction. */
export interface ProviderStore {
  list(): Promise<ProviderRecord[]>;
  /** Names of people who have set keys, as far as they are known. */
  nameSetters(ids: readonly Id<'user'>[]): Promise<ReadonlyMap<Id<'user'>, string>>;
  find(id: Id<'modelProvider'>): Promise<ProviderRecord | null>;
  /** Everything but its prices. Throws `conflict` when the name is taken. */
  put(provider: ProviderRecord): Promise<void>;
  /** Makes this one, and no other, the default. */
  setDefault(id: Id<'modelProvider'>): Promise<void>;
  /** Counts from its instant on; in the place of one with the same. */
  setPrice(id: Id<'modelProvider'>, dated: DatedPrice): Promise<void>;
  recordTest(id: Id<'modelProvider'>, test: ProviderTestView): Promise<void>;
  remove(id: Id<'modelProvider'>): Promise<boolean>;
  readPolicy(): Promise<ModelPolicy>;
  writePolicy(policy: ModelPolicy): Promise<void>;
}

export interface ModelStores {
  readonly providers: ProviderStore;
  readonly audit: AuditLog;
}

/** Tries a provider from the outside in: its address, its key, one small call by the path that runs take. */
export interface ProviderTester {
  test(tenantId: Id<'tenant'>, provider: StoredProvider): Promise<ProviderTestView>;
}

/** Keys at rest. */
export interface KeySealer {
  seal(plain: string, context: string): { readonly keyId: string; readonly box: string };
}

/** Tokenizers of the models that have one we can run. */
export interface TokenCounters {
  /** Null where the model's vocabulary is not public. The first call for a vocabulary may take a fifth of a second. */
  exact(spec: ModelSpec): Promise<TokenCounter | null>;
}

export type Reservation =
  | { readonly status: 'reserved' | 'refused'; readonly standings: readonly BudgetStanding[] }
  /** The run has ended, was stopped, or is driven by another process. */
  | { readonly status: 'stale' };

export interface ReservationRequest {
  readonly scope: TenantScope & { readonly userId: Id<'user'> };
  readonly sessionId: Id<'session'>;
  readonly runId: Id<'run'>;
  /** The driver's; another's reserves nothing. */
  readonly epoch: number;
  /** Of the call. A reservation for the same call stands in the place of an earlier one. */
  readonly path: string;
  readonly claims: readonly BudgetClaim[];
}

/**
 * What model calls hold of budgets. What they hold is given back, and what they used is counted, with the write that has
 * their record; a run that ends or waits holds nothing.
 */
export interface BudgetLedger {
  /** The tenant's that may concern this person, read together with whatever else is read at this moment. */
  list(scope: TenantScope & { readonly userId: Id<'user'> }): Promise<Budget[]>;
  /** From each budget its part, or from none; in one round trip. However many ask at once, no hard limit is passed. */
  reserve(request: ReservationRequest): Promise<Reservation>;
}

/** A budget with who set it. */
export interface BudgetRecord extends Budget {
  readonly updatedAt: Date;
  readonly updatedBy: Id<'user'> | null;
}

/** The budgets of one tenant, bound to a transaction. */
export interface BudgetStore {
  /** With what is used of each in its present period, the most used first. */
  view(): Promise<BudgetView[]>;
  /** Of one chat of this person: what holds for it. */
  viewOfSession(sessionId: Id<'session'>, userId: Id<'user'>): Promise<BudgetView[]>;
  find(id: Id<'budget'>): Promise<BudgetRecord | null>;
  /** Counts what was used in the present period until now. Throws `conflict` where there is such a budget already. */
  add(budget: BudgetRecord): Promise<void>;
  setLimits(id: Id<'budget'>, limits: Pick<Budget, 'softLimit' | 'hardLimit'>, by: Id<'user'>): Promise<void>;
  remove(id: Id<'budget'>): Promise<void>;
  /** The name of a member; null where they are none. */
  findMemberName(userId: Id<'user'>): Promise<string | null>;
  isSessionOf(sessionId: Id<'session'>, userId: Id<'user'>): Promise<boolean>;
}

export interface BudgetStores {
  readonly budgets: BudgetStore;
  readonly audit: AuditLog;
}
