import type { AuditEntry } from '#lib/audit/index.ts';
import type { Id, Json, JsonObject } from '#lib/kernel/index.ts';
import type { ApprovalPolicy } from './domain/approval.ts';
import type { Capability, CapabilityMetadata, ObjectSchema } from './domain/capability.ts';
import type { InvocationRecord, TransitionRecord } from './domain/invocation.ts';
import type { KeptResult, KeyedCall } from './domain/keyed-call.ts';

/** An entry for the event log of the run that the call belongs to. */
export interface InvocationEvent {
  readonly type: 'ToolInvocationRequested' | 'invocation-state' | 'ToolExecuted';
  readonly at: Date;
  readonly payload: JsonObject;
}

/** What one moment of a call commits together. */
export interface LedgerEntry {
  readonly invocation: InvocationRecord;
  readonly transitions: readonly TransitionRecord[];
  readonly events: readonly InvocationEvent[];
  readonly audit: readonly AuditEntry[];
}

/**
 * Where an invoker writes, bound to one run and its epoch. Both methods throw `stale_epoch` when another process has taken
 * the run on or, for a call that is about to begin, when a stop was asked for.
 */
export interface InvocationLedger {
  /** Commits before it resolves: persist, then act. */
  commit(entry: LedgerEntry, options: { begins: boolean }): Promise<void>;
  /** Commits with the next write, at the latest after a few milliseconds. For calls that change nothing. */
  defer(entry: LedgerEntry): void;
}

/** What is remembered of calls that their callers gave keys, for a day. */
export interface KeyedCallStore {
  find(key: { caller: string; key: string }): Promise<KeyedCall | null>;
  /**
   * False where another call of the key has begun since it was looked for and not ended, unless `mayRepeat`, or has succeeded.
   * A further attempt of the same invocation may begin.
   */
  begin(
    key: { caller: string; key: string },
    call: { invocationId: Id<'invocation'>; capabilityId: string; argumentsHash: string; mayRepeat: boolean },
  ): Promise<boolean>;
  /** Of the invocation that has begun last; null: it has failed. */
  end(key: { caller: string; key: string }, call: { invocationId: Id<'invocation'>; result: KeptResult | null }): Promise<void>;
}

export type Validation = { readonly ok: true } | { readonly ok: false; readonly problems: readonly { path: string; message: string }[] };

/** Checks arguments against a JSON Schema before anything runs. Never fetches a `$ref`. */
export interface ArgumentValidator {
  validate(schema: ObjectSchema, args: Json): Validation;
}

/** What a tenant has set about being asked. */
export interface ApprovalPolicyStore {
  list(): Promise<ApprovalPolicy[]>;
  put(policy: ApprovalPolicy, by: Id<'user'>): Promise<void>;
}

/** A plugin that a tenant has installed and enabled. */
export interface EnabledPlugin {
  /** The rights that were consented to: a capability that needs more does not exist here. */
  readonly permissions: ReadonlySet<string>;
  /** What the tenant has set, secrets opened. Throws `conflict` when a secret was sealed by another deployment. */
  readonly openConfiguration: () => JsonObject;
}

/** Which plugins a tenant uses, by id, read fresh each time (requirement P-22). */
export interface PluginAccess {
  listEnabled(tenantId: Id<'tenant'>): Promise<ReadonlyMap<string, EnabledPlugin>>;
}

/** Capabilities of a tenant that come from outside this process: MCP servers, say. What the platform or a plugin has by the same id wins. */
export interface CapabilitySource {
  /** Read anew for each call. */
  find(tenantId: Id<'tenant'>, capabilityId: string): Promise<Capability | undefined>;
  list(tenantId: Id<'tenant'>): Promise<CapabilityMetadata[]>;
  /** What is remembered of one, whether or not it can be called now. */
  describe(tenantId: Id<'tenant'>, capabilityId: string): CapabilityMetadata | undefined;
}
