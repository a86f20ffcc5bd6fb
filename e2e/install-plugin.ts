import { setTimeout as sleep } from 'node:timers/promises';
import { pluginOperationView, pluginView } from '#lib/plugins/contract.ts';
import type { TenantClient } from './tenant-client.ts';

/** Installs a plugin as it stands in the catalogue, with all it asks for, and waits until it is on. */
export async function installPlugin(api: TenantClient, pluginId: string): Promise<void> {
  const { version, permissions } = await api.get(`/marketplace/${pluginId}`, pluginView);
  await api.post(
    `/marketplace/${pluginId}/install`,
    { version, permissions: permissions.map(({ permission }) => permission) },
    pluginOperationView,
  );
  for (let turn = 0; turn < 200; turn += 1) {
    const { state, operation } = await api.get(`/marketplace/${pluginId}`, pluginView);
    if (state === 'installed') return;
    if (operation?.state === 'FAILED') throw new Error(operation.error?.message);
    await sleep(50);
  }
  throw new Error(`${pluginId} was not installed`);
}
