import { createMathjsExpressionEvaluator } from '#lib/capabilities/adapters/mathjs-expression-evaluator.ts';
import { createMathjsUnitConverter } from '#lib/capabilities/adapters/mathjs-unit-converter.ts';
import {
  type CapabilityRegistry,
  type CapabilitySource,
  createBuiltInCapabilities,
  createCapabilityRegistry,
  type PluginAccess,
} from '#lib/capabilities/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { PluginHost, PluginManifest, TenantFigures } from '#lib/plugins/index.ts';
import { createEffectCapabilities } from '#lib/testing/effect-capabilities.ts';
import type { composeKnowledge } from './knowledge.ts';

/** The capabilities that every tenant has from the start, and those that come with what it installs; and what handlers are lent. */
export function composeCapabilities(parts: {
  config: Config;
  knowledge: ReturnType<typeof composeKnowledge>;
  catalogue: readonly PluginManifest[];
  figures: TenantFigures;
  access?: PluginAccess;
  sources?: readonly CapabilitySource[];
}): { registry: CapabilityRegistry; host: PluginHost } {
  const { config, knowledge, catalogue, figures } = parts;
  const registry = createCapabilityRegistry(parts.access, parts.sources);
  const host: PluginHost = {
    evaluator: createMathjsExpressionEvaluator(),
    converter: createMathjsUnitConverter(),
    passages: knowledge.passages,
    facts: knowledge.factMemory,
    figures,
    listCapabilities: async ({ tenantId }, permissions) =>
      (await registry.list(tenantId)).filter(
        ({ status, requiredPermissions }) => status === 'active' && requiredPermissions.every((permission) => permissions.has(permission)),
      ),
  };
  for (const capability of createBuiltInCapabilities(host)) registry.register(capability);
  registerPlugins(registry, catalogue, host);
  if (config.testEffectsUrl) for (const capability of createEffectCapabilities(config.testEffectsUrl)) registry.register(capability);
  return { registry, host };
}

/** What a plugin brings exists only where it is installed, unless every tenant has it. */
export function registerPlugins(registry: CapabilityRegistry, catalogue: readonly PluginManifest[], host: PluginHost): void {
  for (const { id: pluginId, requiresInstall, capabilities } of catalogue) {
    const owner = requiresInstall ? { pluginId } : undefined;
    for (const { metadata, create } of capabilities) registry.register({ metadata, handler: create(host) }, owner);
  }
}
