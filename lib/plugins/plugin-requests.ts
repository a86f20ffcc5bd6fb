import { AppError, type Id, newId } from '#lib/kernel/index.ts';
import { type Actor, hasPermission, requirePermission } from '#lib/tenancy/index.ts';
import type { DecideRequest, PluginRequestView } from './contract.ts';
import { toRequestView } from './get-plugin.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import type { PluginRequest, PluginStores } from './ports.ts';
import { requireManifest } from './require-manifest.ts';

/**
 * Asks those who may install for a plugin. To install it approves the request. Throws `permission_denied` without
 * `plugin:request`, `not_found`, and `conflict` when it is installed or asked for already.
 */
export async function requestPlugin(
  { unitOfWork, catalogue, clock }: PluginDependencies,
  actor: Actor,
  pluginId: string,
  { reason }: { reason: string },
): Promise<PluginRequestView> {
  requirePermission(actor, 'plugin:request');
  const manifest = requireManifest(catalogue, pluginId);
  const { userId } = actor.scope;
  return unitOfWork.within(actor.scope, async ({ installs, pluginRequests, audit }) => {
    if (!manifest.requiresInstall || (await installs.isInstalled(pluginId))) {
      throw new AppError({ code: 'conflict', message: `${pluginId} is installed.` });
    }
    const request: PluginRequest = {
      id: newId('pluginRequest'),
      pluginId,
      userId,
      reason,
      state: 'OPEN',
      decidedBy: null,
      decidedAt: null,
      note: null,
      createdAt: clock.now(),
    };
    await pluginRequests.add(request);
    await audit.record({
      type: 'plugin.requested',
      target: { kind: 'plugin', id: pluginId, name: manifest.name.en },
      details: { requestId: request.id, reason },
    });
    return toRequestView(request, manifest, new Map([[userId, actor.displayName]]));
  });
}

/** Newest first: everyone's for those who may install, else one's own. Throws `permission_denied` without `plugin:read`. */
export async function listPluginRequests(
  { unitOfWork, catalogue }: PluginDependencies,
  actor: Actor,
  query: { state?: PluginRequest['state'] | undefined },
): Promise<{ items: PluginRequestView[] }> {
  requirePermission(actor, 'plugin:read');
  const ofUser = hasPermission(actor, 'plugin:install') ? null : actor.scope.userId;
  return unitOfWork.within(actor.scope, async (stores) => {
    const requests = await stores.pluginRequests.list({ ofUser, state: query.state ?? null });
    const names = await namesIn(stores, requests);
    return { items: requests.map((request) => toRequestView(request, catalogue.find(request.pluginId), names)) };
  });
}

/**
 * Refuses a request, which takes `plugin:install`, or withdraws one's own. Throws `permission_denied`, `not_found` for
 * another person's request that the actor may not see, and `already_decided`.
 */
export async function decidePluginRequest(
  { unitOfWork, catalogue, clock }: PluginDependencies,
  actor: Actor,
  id: Id<'pluginRequest'>,
  { decision, note }: DecideRequest,
): Promise<PluginRequestView> {
  requirePermission(actor, 'plugin:read');
  const { userId } = actor.scope;
  return unitOfWork.within(actor.scope, async (stores) => {
    const request = await stores.pluginRequests.lock(id);
    if (!request || (decision === 'withdraw' && request.userId !== userId)) {
      throw new AppError({ code: 'not_found', message: 'There is no such request.' });
    }
    if (decision === 'refuse') requirePermission(actor, 'plugin:install');
    if (request.state !== 'OPEN') {
      throw new AppError({ code: 'already_decided', message: 'This request has been decided.', details: { state: request.state } });
    }
    const decided: PluginRequest = {
      ...request,
      state: decision === 'refuse' ? 'REFUSED' : 'WITHDRAWN',
      decidedBy: userId,
      decidedAt: clock.now(),
      note: note || null,
    };
    await stores.pluginRequests.update(decided);
    await stores.audit.record({
      type: decision === 'refuse' ? 'plugin.request-refused' : 'plugin.request-withdrawn',
      target: { kind: 'plugin', id: request.pluginId },
      details: { requestId: id, by: request.userId, note: decided.note },
    });
    return toRequestView(decided, catalogue.find(request.pluginId), await namesIn(stores, [decided]));
  });
}

function namesIn({ pluginUsage }: PluginStores, requests: readonly PluginRequest[]) {
  return pluginUsage.namesOf(requests.flatMap(({ userId, decidedBy }) => [userId, ...(decidedBy ? [decidedBy] : [])]));
}
