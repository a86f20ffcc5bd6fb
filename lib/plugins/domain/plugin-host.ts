import type { ExpressionEvaluator, FactMemory, PassageSearch, UnitConverter } from '#lib/capabilities/index.ts';

/**
 * What the platform lends to the handlers of plugins. Each method takes the scope of the call it serves: a plugin holds
 * nothing of a tenant between calls.
 */
export interface PluginHost {
  readonly passages: PassageSearch;
  readonly facts: FactMemory;
  readonly evaluator: ExpressionEvaluator;
  readonly converter: UnitConverter;
}
