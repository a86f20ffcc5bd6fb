import type {
  CallScope,
  CapabilityMetadata,
  ExpressionEvaluator,
  FactMemory,
  PassageSearch,
  UnitConverter,
} from '#lib/capabilities/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';
import type { TenantFigures } from './tenant-figures.ts';

/**
 * What the platform lends to the handlers of plugins. Each method takes the scope of the call it serves: a plugin holds
 * nothing of a tenant between calls.
 */
export interface PluginHost {
  readonly passages: PassageSearch;
  readonly facts: FactMemory;
  readonly evaluator: ExpressionEvaluator;
  readonly converter: UnitConverter;
  readonly figures: TenantFigures;
  /** What a person with these rights may use in the tenant now. */
  readonly listCapabilities: (scope: CallScope, permissions: ReadonlySet<Permission>) => Promise<readonly CapabilityMetadata[]>;
}
