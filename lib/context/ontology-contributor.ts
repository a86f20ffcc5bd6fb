import type { TenantScope } from '#lib/kernel/index.ts';
import type { ContextContributor } from './ports.ts';

/** Order 0: what is known here, and the token of its state (requirement P-24). */
export function createOntologyContributor(
  describe: (scope: TenantScope, message: string) => Promise<{ summary: string; revision: string }>,
): ContextContributor {
  return {
    name: 'ontology',
    order: 0,
    async contribute({ scope, message }) {
      const { summary, revision } = await describe(scope, message);
      return [
        { namespace: 'ontology', key: 'summary', value: summary, contentOrigin: 'own' },
        { namespace: 'ontology', key: 'revision', value: revision, contentOrigin: 'own' },
      ];
    },
  };
}
