import { z } from 'zod';

/** Shapes of the marketplace as the API and the browser see them. Instants are ISO 8601 in UTC. A secret goes in and never comes out. */
const localised = z.object({ en: z.string(), 'zh-CN': z.string() });

export const pluginKind = z.enum(['agent', 'tool', 'knowledge', 'skill']);
export const pluginIcon = z.enum(['beaker', 'calculator', 'campus', 'chart', 'document', 'meeting', 'plug', 'report', 'search']);
export type PluginIconName = z.infer<typeof pluginIcon>;
export const pluginState = z.enum([
  'available',
  'installing',
  'installed',
  'disabled',
  'needs-setup',
  'update',
  'needs-consent',
  'built-in',
  'withdrawn',
]);
export type PluginStateName = z.infer<typeof pluginState>;

export const pluginRequestState = z.enum(['OPEN', 'APPROVED', 'REFUSED', 'WITHDRAWN']);
/** A member's wish for a plugin, and what became of it. */
export const pluginRequestView = z.object({
  id: z.string(),
  pluginId: z.string(),
  pluginName: localised,
  requester: z.object({ id: z.string(), name: z.string() }),
  reason: z.string(),
  state: pluginRequestState,
  decidedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  decidedAt: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: z.string(),
});
export type PluginRequestView = z.infer<typeof pluginRequestView>;

const operationStage = z.enum(['verify', 'configure', 'knowledge', 'check', 'activate']);
/** An installation or upgrade. `stages` are all there are, in order. */
export const pluginOperationView = z.object({
  id: z.string(),
  pluginId: z.string(),
  kind: z.enum(['install', 'upgrade']),
  state: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED']),
  version: z.string(),
  stages: z.array(z.object({ stage: operationStage, state: z.enum(['done', 'running', 'failed', 'waiting']), at: z.string().nullable() })),
  /** Why it was rolled back, and in which stage; null unless it failed. */
  error: z.object({ stage: operationStage, message: z.string() }).nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type PluginOperationView = z.infer<typeof pluginOperationView>;

const permissionView = z.object({
  permission: z.string(),
  why: localised,
  /** Somebody has consented to it here. */
  isConsented: z.boolean(),
});

export const pluginSummaryView = z.object({
  id: z.string(),
  name: localised,
  description: localised,
  publisher: z.string(),
  /** The catalogue's. */
  version: z.string(),
  /** null: not installed. */
  installedVersion: z.string().nullable(),
  kind: pluginKind,
  domain: z.string(),
  icon: pluginIcon,
  state: pluginState,
  permissions: z.array(permissionView),
  /** It does nothing useful until this workspace has one. */
  needs: z.literal('model').nullable(),
});
export type PluginSummaryView = z.infer<typeof pluginSummaryView>;

export const pluginPage = z.object({
  items: z.array(pluginSummaryView),
  /** What the filters can be set to, over the whole catalogue. */
  facets: z.object({ kinds: z.array(pluginKind), domains: z.array(z.string()), permissions: z.array(z.string()) }),
  installedCount: z.number(),
});
export type PluginPage = z.infer<typeof pluginPage>;

/** What hangs on a plugin: what its removal would touch. */
export const pluginDependents = z.object({
  /** Sessions that can go on now, by preset. */
  sessions: z.array(z.object({ preset: z.string(), count: z.number() })),
  /** Runs of those sessions that have not ended. */
  openRuns: z.number(),
  /** Installed plugins that need it. It cannot be removed before them. */
  plugins: z.array(z.object({ id: z.string(), name: localised })),
  /** Documents that came with it and were not changed since: they go with it. */
  documents: z.number(),
});
export type PluginDependents = z.infer<typeof pluginDependents>;

const snapshotView = z.object({
  id: z.string(),
  version: z.string(),
  values: z.record(z.string(), z.unknown()),
  secretNames: z.array(z.string()),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: z.string(),
});

export const pluginView = pluginSummaryView.extend({
  overview: localised,
  keywords: z.array(z.string()),
  changelog: z.array(
    z.object({
      version: z.string(),
      date: z.string(),
      changes: z.array(localised),
      permissions: z.array(z.string()),
      /** Against the release before it. */
      addedPermissions: z.array(z.string()),
      removedPermissions: z.array(z.string()),
    }),
  ),
  dependsOn: z.array(z.object({ id: z.string(), name: localised, isInstalled: z.boolean() })),
  capabilities: z.array(
    z.object({
      id: z.string(),
      title: localised,
      description: localised,
      sideEffect: z.enum(['read', 'write', 'destructive']),
      permissions: z.array(z.string()),
      /** Calls here in the last 30 days. */
      callCount: z.number(),
    }),
  ),
  presets: z.array(z.object({ key: z.string(), name: localised, description: localised })),
  agents: z.array(z.object({ id: z.string(), title: localised, description: z.string() })),
  documents: z.array(z.object({ key: z.string(), title: z.string(), language: z.string() })),
  /** JSON Schema of what can be set; null: nothing. */
  configurationSchema: z.record(z.string(), z.unknown()).nullable(),
  /** What is set; the secrets only by a hint. Empty where it is not installed. */
  configuration: z.object({ values: z.record(z.string(), z.unknown()), secretHints: z.record(z.string(), z.string()) }),
  /** Names of settings that are demanded and not set. */
  missingSettings: z.array(z.string()),
  /** Newest first; the first is what is set now. */
  snapshots: z.array(snapshotView),
  install: z.object({ installedBy: z.object({ id: z.string(), name: z.string() }), installedAt: z.string() }).nullable(),
  /** The latest; null: there was none. */
  operation: pluginOperationView.nullable(),
  dependents: pluginDependents,
  /** The person's own open request. */
  ownRequest: pluginRequestView.nullable(),
});
export type PluginView = z.infer<typeof pluginView>;

const settings = z
  .record(
    z.string().max(100),
    z.union([z.string().max(10_000), z.number(), z.boolean(), z.array(z.string().max(1_000)).max(200), z.null()]),
  )
  .default({});

/** Absent filters leave everything in. `q` looks into names, descriptions, keywords and tool names, in both languages. */
export const listPluginsQuery = z.object({
  q: z.string().max(200).optional(),
  kind: pluginKind.optional(),
  domain: z.string().max(60).optional(),
  /** `in-use`: whatever is installed, in any state. */
  state: pluginState.or(z.literal('in-use')).optional(),
  permission: z.string().max(60).optional(),
});
export type ListPlugins = z.infer<typeof listPluginsQuery>;

/** The version and permissions that a person has seen and consents to: another set is refused. */
export const installPluginBody = z.object({
  version: z.string(),
  permissions: z.array(z.string()).max(100),
  /** By name; a secret that is absent stays, `null` takes it away. */
  configuration: settings,
});
export type InstallPlugin = z.infer<typeof installPluginBody>;

export const switchPluginBody = z.object({ isEnabled: z.boolean() });
export const configurePluginBody = z.object({ configuration: settings });
export const requestPluginBody = z.object({ reason: z.string().trim().min(1).max(1_000) });
export const decideRequestBody = z.object({
  decision: z.enum(['refuse', 'withdraw']),
  note: z.string().trim().max(1_000).nullable().default(null),
});
export type DecideRequest = z.infer<typeof decideRequestBody>;
