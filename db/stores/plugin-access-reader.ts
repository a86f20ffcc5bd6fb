import type { Sql } from 'postgres';
import { z } from 'zod';
import type { TenantScope } from '#lib/kernel/index.ts';
import { toUuid } from '#lib/kernel/index.ts';
import type { PluginSettings } from '#lib/plugins/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { readPluginSettings } from './plugin-rows.ts';

const accessRow = z.object({ plugin_id: z.string(), permissions: z.array(z.string()), settings: z.unknown(), secrets: z.unknown() });

export interface EnabledPlugin {
  readonly pluginId: string;
  /** The rights that were consented to. */
  readonly permissions: ReadonlySet<string>;
  readonly settings: PluginSettings;
}

/** What a tenant has installed and enabled now; one round trip, for every call anew. */
export function createPluginAccessReader(sql: Sql) {
  return async (scope: TenantScope): Promise<EnabledPlugin[]> => {
    const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
      tx`select plugin_id, permissions, settings, secrets from tenant_plugin_install where tenant_id = ${toUuid(scope.tenantId)} and is_enabled`,
    ]);
    return rows.map((row) => {
      const { plugin_id: pluginId, permissions, ...stored } = accessRow.parse(row);
      return { pluginId, permissions: new Set(permissions), settings: readPluginSettings(stored) };
    });
  };
}
