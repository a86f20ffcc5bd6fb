import type { ArgumentValidator } from '#lib/capabilities/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import type { CatalogueIndex } from './domain/catalogue-index.ts';
import type { PluginHost } from './domain/plugin-host.ts';
import type { PluginSearch } from './domain/plugin-search.ts';
import type { PluginStores, SecretSealer } from './ports.ts';

/** What the use cases of the marketplace work with. */
export interface PluginDependencies {
  readonly unitOfWork: UnitOfWork<PluginStores>;
  readonly catalogue: CatalogueIndex;
  readonly search: PluginSearch;
  readonly sealer: SecretSealer;
  readonly validator: ArgumentValidator;
  readonly host: PluginHost;
  readonly clock: Clock;
  readonly log: { warn(context: object, message: string): void };
}
