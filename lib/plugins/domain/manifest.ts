import type { AgentDefinition } from '#lib/agents/index.ts';
import type { CallScope, CapabilityHandler, CapabilityMetadata, LocalisedText, ObjectSchema } from '#lib/capabilities/index.ts';
import type { ContextFragment, ContextRequest } from '#lib/context/index.ts';
import type { Pipeline } from '#lib/graph/index.ts';
import type { JsonObject } from '#lib/kernel/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';
import type { PluginHost } from './plugin-host.ts';

/** What a plugin mainly is, for the list's filter. */
export const PLUGIN_KINDS = ['agent', 'tool', 'knowledge', 'skill'] as const;
export type PluginKind = (typeof PLUGIN_KINDS)[number];

/** The drawings there are for plugins; the interface owns what they look like. */
export const PLUGIN_ICONS = ['beaker', 'calculator', 'campus', 'chart', 'document', 'meeting', 'plug', 'report', 'search'] as const;
export type PluginIcon = (typeof PLUGIN_ICONS)[number];

/** A right that the plugin's capabilities use, and why: what a person consents to before it is installed. */
export interface PluginPermission {
  readonly permission: Permission;
  readonly why: LocalisedText;
}

export interface PluginRelease {
  /** Semantic version: `1.2.0`. */
  readonly version: string;
  /** Day of the release, `YYYY-MM-DD`. */
  readonly date: string;
  readonly changes: readonly LocalisedText[];
  /** The rights it asked for; compared with another version's to show what was added. */
  readonly permissions: readonly Permission[];
}

/** A capability, made when the catalogue is wired; it exists only in tenants where the plugin is installed and enabled. */
export interface PluginCapability {
  readonly metadata: CapabilityMetadata;
  /** What a handler needs of the platform. The tenant's configuration comes with each call: `call.configuration`. */
  readonly create: (host: PluginHost) => CapabilityHandler;
}

/** A way to begin a session. It is locked until the plugin is installed. */
export interface PluginPreset {
  /** Unique over the catalogue; sessions keep it: `qa-sim`. */
  readonly key: string;
  readonly name: LocalisedText;
  readonly description: LocalisedText;
  /** The agent of this manifest that answers under it where a model is used. */
  readonly agentId?: string;
  /** What the planner, or a model, sees under it; absent: whatever the person may use. */
  readonly capabilityIds?: readonly string[];
  /** Answers under it in place of the planner, a record a stage; in place of a model too, unless there is an `agentId`. */
  readonly pipeline?: Pipeline;
}

/** A document that is put into the tenant's knowledge with the plugin, and taken out with it unless somebody has changed it. */
export interface PluginDocument {
  /** Unique in the manifest. */
  readonly key: string;
  readonly title: string;
  readonly language: 'en' | 'zh-CN';
  /** Markdown. */
  readonly body: string;
}

/** What a plugin adds to what a model is told, under its own presets and under the platform's. */
export interface PluginContributor {
  readonly name: string;
  /** From 100. */
  readonly order: number;
  contribute(request: ContextRequest & { readonly configuration: JsonObject; readonly now: Date }): Promise<readonly ContextFragment[]>;
}

/**
 * A plugin as its author declares it (requirement P-19, layer 1): what it is, what it needs, what it brings. Pure data and
 * functions; docs/plugins.md explains each field. Made by `definePlugin`, listed in `catalogue.ts`.
 */
export interface PluginManifest {
  /** Upper case, digits and underscores; never changes: `QA_SIM`. */
  readonly id: string;
  readonly name: LocalisedText;
  /** One sentence. */
  readonly description: LocalisedText;
  /** What the detail page tells, as Markdown; absent: the description. */
  readonly overview?: LocalisedText;
  readonly publisher: string;
  /** Semantic version; the first entry of the changelog. */
  readonly version: string;
  /** Newest first. */
  readonly changelog: readonly PluginRelease[];
  readonly kind: PluginKind;
  /** The facet under which people look for it: `campus`, `finance`. */
  readonly domain: string;
  /** Words by which it is found, in every language it should be found in. */
  readonly keywords: readonly string[];
  readonly icon: PluginIcon;
  readonly permissions: readonly PluginPermission[];
  /**
   * What a tenant may set, as JSON Schema: strings, numbers, integers, booleans, `enum`s and lists of strings.
   * `writeOnly: true` marks a secret: it is sealed, and never shown again. `x-title` and `x-description` are localised texts.
   */
  readonly configurationSchema?: ObjectSchema;
  /** false: every tenant has it from the start, and it cannot be removed. */
  readonly requiresInstall: boolean;
  /** Ids of plugins that must be installed first. */
  readonly dependsOn?: readonly string[];
  /** `model`: it does nothing useful until the tenant uses a model, and its page says so. */
  readonly needs?: 'model';
  readonly capabilities: readonly PluginCapability[];
  readonly presets: readonly PluginPreset[];
  /** Specialists that a model may hand tasks to. Their ids are unique over the catalogue. */
  readonly agents: readonly AgentDefinition[];
  readonly documents: readonly PluginDocument[];
  /** Orders from 100: after the platform's own. */
  readonly contextContributors: readonly PluginContributor[];
  /**
   * Whether it can work with what is set, tried before it is switched on. Throws an `Error` with a sentence a person can act
   * on; what fails here is rolled back. Has 10 seconds.
   */
  readonly check?: (
    host: PluginHost,
    call: { readonly scope: CallScope; readonly configuration: JsonObject; readonly signal: AbortSignal },
  ) => Promise<void>;
}
