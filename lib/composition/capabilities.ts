import { createMathjsExpressionEvaluator } from '#lib/capabilities/adapters/mathjs-expression-evaluator.ts';
import { createMathjsUnitConverter } from '#lib/capabilities/adapters/mathjs-unit-converter.ts';
import { type CapabilityRegistry, createBuiltInCapabilities, createCapabilityRegistry } from '#lib/capabilities/index.ts';
import type { Config } from '#lib/config/index.ts';
import { createEffectCapabilities } from '#lib/testing/effect-capabilities.ts';
import type { composeKnowledge } from './knowledge.ts';

/** The capabilities that every tenant has from the start. */
export function composeCapabilities(parts: { config: Config; knowledge: ReturnType<typeof composeKnowledge> }): CapabilityRegistry {
  const { config, knowledge } = parts;
  const registry = createCapabilityRegistry();
  const builtIn = createBuiltInCapabilities({
    evaluator: createMathjsExpressionEvaluator(),
    converter: createMathjsUnitConverter(),
    passages: knowledge.passages,
    facts: knowledge.factMemory,
  });
  for (const capability of builtIn) registry.register(capability);
  if (config.testEffectsUrl) for (const capability of createEffectCapabilities(config.testEffectsUrl)) registry.register(capability);
  return registry;
}
