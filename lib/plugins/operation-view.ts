import type { PluginOperationView } from './contract.ts';
import { OPERATION_STAGES, type PluginOperation } from './domain/operation.ts';

/** All stages with how they stand. Pure. */
export function toOperationView(operation: PluginOperation): PluginOperationView {
  const { id, pluginId, kind, state, version, done, error, createdAt, endedAt } = operation;
  return {
    id,
    pluginId,
    kind,
    state,
    version,
    stages: OPERATION_STAGES.map((stage, index) => {
      const at = done[index]?.at ?? null;
      if (error?.stage === stage) return { stage, state: 'failed', at };
      if (at !== null) return { stage, state: 'done', at };
      return { stage, state: state === 'RUNNING' && index === done.length ? 'running' : 'waiting', at };
    }),
    error,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
