import type { AuditLog } from '#lib/audit/index.ts';
import type { Id, TenantScope } from '#lib/kernel/index.ts';
import type { DocumentStore } from '#lib/knowledge/index.ts';
import type { PluginInstall } from './domain/installation.ts';
import type { PluginOperation, PluginSettings } from './domain/operation.ts';

/** The plugins a tenant has installed, bound to a transaction (requirement P-19). */
export interface InstallStore {
  /** Enabled or not. */
  listInstalledPluginIds(): Promise<string[]>;
  isInstalled(pluginId: string): Promise<boolean>;
  /** Adds it, or replaces what is there. */
  install(install: PluginInstall): Promise<void>;
  find(pluginId: string): Promise<PluginInstall | null>;
  /** As `find`, and nobody else changes it until the transaction ends. */
  lock(pluginId: string): Promise<PluginInstall | null>;
  list(): Promise<PluginInstall[]>;
  /** False when it is not installed. */
  remove(pluginId: string): Promise<boolean>;
}

/** Who carries an operation on, for this turn. */
export type OperationClaim = string;

export interface OperationStore {
  /** Throws `conflict` when one of this plugin is running. */
  begin(operation: PluginOperation, claim: OperationClaim): Promise<void>;
  find(id: Id<'pluginOperation'>): Promise<PluginOperation | null>;
  findLatest(pluginId: string): Promise<PluginOperation | null>;
  /** Running ones, and of every plugin. */
  listRunning(): Promise<PluginOperation[]>;
  /** Takes it over when it is running and its claim is older than `quietMs`; null otherwise. */
  claim(id: Id<'pluginOperation'>, claim: OperationClaim, quietMs: number): Promise<PluginOperation | null>;
  /** Locks the row. Throws `stale_epoch` when the claim is another's by now, or the operation has ended. */
  hold(id: Id<'pluginOperation'>, claim: OperationClaim): Promise<PluginOperation>;
  /** Says that the claim still stands; does nothing when it does not. */
  beat(id: Id<'pluginOperation'>, claim: OperationClaim): Promise<void>;
  /** State, done stages, documents and error as given. */
  update(operation: PluginOperation): Promise<void>;
}

export interface SettingsSnapshot {
  readonly id: Id<'pluginSnapshot'>;
  readonly pluginId: string;
  readonly version: string;
  readonly settings: PluginSettings;
  readonly createdBy: Id<'user'>;
  readonly createdAt: Date;
}

export interface SnapshotStore {
  add(snapshot: SettingsSnapshot): Promise<void>;
  find(pluginId: string, id: Id<'pluginSnapshot'>): Promise<SettingsSnapshot | null>;
  /** Newest first. */
  list(pluginId: string, limit: number): Promise<SettingsSnapshot[]>;
}

export interface PluginRequest {
  readonly id: Id<'pluginRequest'>;
  readonly pluginId: string;
  readonly userId: Id<'user'>;
  readonly reason: string;
  readonly state: 'OPEN' | 'APPROVED' | 'REFUSED' | 'WITHDRAWN';
  readonly decidedBy: Id<'user'> | null;
  readonly decidedAt: Date | null;
  readonly note: string | null;
  readonly createdAt: Date;
}

export interface PluginRequestStore {
  /** Throws `conflict` when the person has an open one for this plugin. */
  add(request: PluginRequest): Promise<void>;
  /** Newest first; `ofUser` null: everyone's. At most 200. */
  list(filter: { ofUser: Id<'user'> | null; state: PluginRequest['state'] | null }): Promise<PluginRequest[]>;
  /** Locks the row until the transaction ends. */
  lock(id: Id<'pluginRequest'>): Promise<PluginRequest | null>;
  update(request: PluginRequest): Promise<void>;
  listOpenFor(pluginId: string): Promise<PluginRequest[]>;
}

/** What plugins are used for in a tenant; read-only. */
export interface PluginUsageStore {
  /** Sessions of anyone that are neither closed nor deleted, and their runs that have not ended. */
  countSessions(presets: readonly string[]): Promise<{ sessions: { preset: string; count: number }[]; openRuns: number }>;
  /** Calls since then, by capability. */
  countCalls(capabilityIds: readonly string[], since: Date): Promise<ReadonlyMap<string, number>>;
  /** Names of people, whether or not they are still here. */
  namesOf(userIds: readonly Id<'user'>[]): Promise<ReadonlyMap<Id<'user'>, string>>;
}

export interface PluginStores {
  readonly installs: InstallStore;
  readonly pluginOperations: OperationStore;
  readonly pluginSnapshots: SnapshotStore;
  readonly pluginRequests: PluginRequestStore;
  readonly pluginUsage: PluginUsageStore;
  readonly documents: DocumentStore;
  readonly audit: AuditLog;
}

/** Secrets at rest. */
export interface SecretSealer {
  seal(plain: string, context: string): { readonly keyId: string; readonly box: string };
  /** Throws `conflict` when it cannot be opened. */
  open(sealed: { readonly keyId: string; readonly box: string }, context: string): string;
}

/** Operations that stand still, over all tenants. */
export interface QuietOperationReader {
  listQuietOperations(quietMs: number, limit: number): Promise<{ readonly scope: TenantScope; readonly id: Id<'pluginOperation'> }[]>;
}
