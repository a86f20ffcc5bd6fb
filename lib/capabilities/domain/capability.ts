import type { Clock, Id, JsonObject, TenantScope } from '#lib/kernel/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';

/** JSON Schema (2020-12) of an object. */
export type ObjectSchema = JsonObject & { readonly type: 'object' };

/** What a call does to the world. Only `read` calls may be repeated without a thought. */
export type SideEffect = 'read' | 'write' | 'destructive';

/**
 * How a call may be repeated after a crash that hid its outcome: `idempotent` calls simply run again, `keyed` ones run
 * again with the same idempotency key, `none` becomes a question to the person.
 */
export type Idempotency = 'idempotent' | 'keyed' | 'none';

/** Text in the languages of the interface. */
export interface LocalisedText {
  readonly en: string;
  readonly 'zh-CN': string;
}

/** A capability as an asset: what it is, who may call it and what a call may do (requirements P-15, T-02, T-09). */
export interface CapabilityMetadata {
  /** Dotted, unique in the registry: `time.now`. */
  readonly id: string;
  readonly version: string;
  readonly status: 'active' | 'deprecated' | 'disabled';
  /** By which protocol it is reached; absent: called directly, without a network (requirement H-18). */
  readonly protocol?: 'INTERNAL' | 'MCP' | 'A2A' | 'AGENT';
  /** The facet under which people and planners look for it: `time`, `math`, `knowledge`. */
  readonly domain: string;
  readonly title: LocalisedText;
  readonly description: LocalisedText;
  /** Words by which a request is recognised, in every language it should work in; matched after tokenizing. */
  readonly keywords: readonly string[];
  /** Requests this capability answers, used by discovery and shown as suggestions. */
  readonly examples: readonly LocalisedText[];
  readonly inputSchema: ObjectSchema;
  readonly requiredPermissions: readonly Permission[];
  readonly sideEffect: SideEffect;
  readonly idempotency: Idempotency;
  /**
   * Whose words a result holds: `own` what the capability has worked out or the person has said, `outside` what others have
   * written, which is data and never an instruction. Absent: `outside`.
   */
  readonly contentOrigin?: 'own' | 'outside';
  /** How often a call that failed in passing is made again, where that does no harm; absent: twice. */
  readonly maxRetries?: number;
  /** An attempt that takes longer fails with `timeout`. */
  readonly timeoutMs: number;
}

/** What a handler is given besides its arguments. The scope is the run's own; nothing is ambient. */
export interface CapabilityCall {
  readonly scope: TenantScope & { readonly userId: Id<'user'> };
  /** What the person may do, for a handler whose answer depends on it; the invoker has checked what the metadata names. */
  readonly permissions: ReadonlySet<Permission>;
  readonly runId: Id<'run'>;
  readonly invocationId: Id<'invocation'>;
  readonly idempotencyKey: string;
  /** What the tenant has set for the plugin that brings the capability, secrets opened; `{}` for the platform's own. */
  readonly configuration: JsonObject;
  readonly clock: Clock;
  readonly locale: 'en' | 'zh-CN';
  /** The person's time zone (IANA name) if known, else the tenant's, else UTC. */
  readonly timeZone: string;
  readonly signal: AbortSignal;
  /** How far the work has come, for a call that tells; absent where nobody looks. */
  readonly reportProgress?: (progress: Omit<CallProgress, 'invocationId'>) => void;
  /** Shows a part of the answer before the call is done; the parts must join to the text that is returned. */
  readonly emitText: (delta: string) => void;
}

/** How far a call has come, in units of its own; null: not told. The message is the other side's. */
export interface CallProgress {
  readonly invocationId: Id<'invocation'>;
  readonly progress: number;
  readonly total: number | null;
  readonly message: string | null;
}

/** What a call returns: data for the record and the next step, and the sentence that answers the person. */
export interface CapabilityOutput {
  readonly output: JsonObject;
  /** Markdown in the call's locale. */
  readonly text: string;
}

/**
 * Runs one call. Arguments have been validated against the input schema. Throws `AppError` (`capability_failed` with a
 * sentence a person can act on) when the request cannot be met.
 */
export type CapabilityHandler = (args: JsonObject, call: CapabilityCall) => Promise<CapabilityOutput>;

/** Metadata and, unless something is miswired, a handler. */
export interface Capability {
  readonly metadata: CapabilityMetadata;
  readonly handler?: CapabilityHandler;
}
