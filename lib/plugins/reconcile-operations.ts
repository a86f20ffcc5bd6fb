import { driveOperation } from './drive-operation.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import type { OperationClaim, QuietOperationReader } from './ports.ts';

/**
 * Carries on the operations that stand still because the process that drove them is gone: each is finished, or rolled back by
 * the stage that fails. Safe in several processes at once: a claim goes to one.
 */
export async function reconcileOperations(
  dependencies: PluginDependencies & {
    readonly quiet: QuietOperationReader;
    readonly quietMs: number;
    readonly newClaim: () => OperationClaim;
  },
): Promise<void> {
  const { quiet, quietMs, unitOfWork, newClaim, log } = dependencies;
  for (const { scope, id } of await quiet.listQuietOperations(quietMs, 100)) {
    const claim = newClaim();
    const operation = await unitOfWork.within(scope, ({ pluginOperations }) => pluginOperations.claim(id, claim, quietMs));
    if (!operation) continue;
    const { userId, apiKeyId } = operation.requester;
    log.warn(
      { operationId: id, pluginId: operation.pluginId, done: operation.done.length },
      'a plugin operation stands still; carrying it on',
    );
    await driveOperation(dependencies, { scope: { tenantId: scope.tenantId, userId, ...(apiKeyId && { apiKeyId }) }, id, claim });
  }
}
