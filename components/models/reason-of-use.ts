import type { ModelsView } from '#lib/models/contract.ts';

/** Why a run that starts now uses what it uses; a message of `models.use.reasons`. */
export type ReasonOfUse = { key: 'off' | 'nothing' | 'noDefault' | 'environment' } | { key: 'workspace'; name: string };

/** Why the model in use is the one, or why there is none. */
export function reasonOfUse({ policy, providers, inUse }: Pick<ModelsView, 'policy' | 'providers' | 'inUse'>): ReasonOfUse {
  if (!policy.isEnabled) return { key: 'off' };
  if (inUse?.source === 'environment') return { key: 'environment' };
  if (inUse) return { key: 'workspace', name: providers.find(({ isDefault }) => isDefault)?.name ?? inUse.model };
  return { key: providers.length > 0 ? 'noDefault' : 'nothing' };
}
