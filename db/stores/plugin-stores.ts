import { and, asc, count, desc, eq, gte, inArray, isNull, notInArray, sql } from 'drizzle-orm';
import { AppError, type Id } from '#lib/kernel/index.ts';
import type {
  InstallStore,
  PluginRequest,
  PluginRequestStore,
  PluginUsageStore,
  SettingsSnapshot,
  SnapshotStore,
} from '#lib/plugins/index.ts';
import { agentSession, appUser, invocation, pluginRequest, pluginSettingsSnapshot, run, tenantPluginInstall } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';
import { readPluginSettings, toInstall } from './plugin-rows.ts';

export function bindInstallStore({ transaction, scope }: TenantBinding): InstallStore {
  const ofTenant = eq(tenantPluginInstall.tenantId, scope.tenantId);
  const one = (pluginId: string) => and(ofTenant, eq(tenantPluginInstall.pluginId, pluginId));
  const select = () => transaction.select().from(tenantPluginInstall);
  const find: InstallStore['find'] = async (pluginId) => {
    const [row] = await select().where(one(pluginId));
    return row ? toInstall(row) : null;
  };
  return {
    find,

    async listInstalledPluginIds() {
      const rows = await transaction
        .select({ pluginId: tenantPluginInstall.pluginId })
        .from(tenantPluginInstall)
        .where(ofTenant)
        .orderBy(asc(tenantPluginInstall.pluginId));
      return rows.map(({ pluginId }) => pluginId);
    },

    isInstalled: async (pluginId) => (await find(pluginId)) !== null,

    async lock(pluginId) {
      const [row] = await select().where(one(pluginId)).for('update');
      return row ? toInstall(row) : null;
    },

    async list() {
      const rows = await select().where(ofTenant).orderBy(asc(tenantPluginInstall.pluginId));
      return rows.map(toInstall);
    },

    async install({ pluginId, settings, installedBy, installedAt, ...rest }) {
      const changing = { ...rest, permissions: [...rest.permissions], settings: settings.values, secrets: settings.secrets };
      await transaction
        .insert(tenantPluginInstall)
        .values({ tenantId: scope.tenantId, pluginId, installedBy, installedAt, ...changing })
        .onConflictDoUpdate({ target: [tenantPluginInstall.tenantId, tenantPluginInstall.pluginId], set: changing });
    },

    async remove(pluginId) {
      const rows = await transaction.delete(tenantPluginInstall).where(one(pluginId)).returning({ id: tenantPluginInstall.pluginId });
      return rows.length > 0;
    },
  };
}

export function bindSnapshotStore({ transaction, scope }: TenantBinding): SnapshotStore {
  const ofPlugin = (pluginId: string) =>
    and(eq(pluginSettingsSnapshot.tenantId, scope.tenantId), eq(pluginSettingsSnapshot.pluginId, pluginId));
  return {
    async add({ settings, ...snapshot }) {
      await transaction
        .insert(pluginSettingsSnapshot)
        .values({ tenantId: scope.tenantId, ...snapshot, settings: settings.values, secrets: settings.secrets });
    },
    async find(pluginId, id) {
      const [row] = await transaction
        .select()
        .from(pluginSettingsSnapshot)
        .where(and(ofPlugin(pluginId), eq(pluginSettingsSnapshot.id, id)));
      return row ? toSnapshot(row) : null;
    },
    async list(pluginId, limit) {
      const rows = await transaction
        .select()
        .from(pluginSettingsSnapshot)
        .where(ofPlugin(pluginId))
        .orderBy(desc(pluginSettingsSnapshot.id))
        .limit(limit);
      return rows.map(toSnapshot);
    },
  };
}

/** Requests that a list shows. */
const REQUEST_LIMIT = 200;

export function bindPluginRequestStore({ transaction, scope }: TenantBinding): PluginRequestStore {
  const ofTenant = eq(pluginRequest.tenantId, scope.tenantId);
  return {
    async add(request) {
      await orIfTaken(
        transaction.insert(pluginRequest).values({ tenantId: scope.tenantId, ...request }),
        () => new AppError({ code: 'conflict', message: 'You have asked for this plugin already; nobody has decided yet.' }),
      );
    },
    async list({ ofUser, state }) {
      const rows = await transaction
        .select()
        .from(pluginRequest)
        .where(and(ofTenant, ofUser ? eq(pluginRequest.userId, ofUser) : undefined, state ? eq(pluginRequest.state, state) : undefined))
        .orderBy(desc(pluginRequest.id))
        .limit(REQUEST_LIMIT);
      return rows.map(toRequest);
    },
    async listOpenFor(pluginId) {
      const rows = await transaction
        .select()
        .from(pluginRequest)
        .where(and(ofTenant, eq(pluginRequest.pluginId, pluginId), eq(pluginRequest.state, 'OPEN')))
        .orderBy(asc(pluginRequest.id));
      return rows.map(toRequest);
    },
    async lock(id) {
      const [row] = await transaction
        .select()
        .from(pluginRequest)
        .where(and(ofTenant, eq(pluginRequest.id, id)))
        .for('update');
      return row ? toRequest(row) : null;
    },
    async update({ id, state, decidedBy, decidedAt, note }) {
      await transaction
        .update(pluginRequest)
        .set({ state, decidedBy, decidedAt, note })
        .where(and(ofTenant, eq(pluginRequest.id, id)));
    },
  };
}

export function bindPluginUsageStore({ transaction, scope }: TenantBinding): PluginUsageStore {
  return {
    async countSessions(presets) {
      if (presets.length === 0) return { sessions: [], openRuns: 0 };
      const sessions = await transaction
        .select({ preset: agentSession.preset, count: count() })
        .from(agentSession)
        .where(
          and(
            eq(agentSession.tenantId, scope.tenantId),
            inArray(agentSession.preset, [...presets]),
            isNull(agentSession.deletedAt),
            notInArray(agentSession.state, ['COMPLETED', 'FAILED', 'CANCELLED']),
          ),
        )
        .groupBy(agentSession.preset)
        .orderBy(asc(agentSession.preset));
      const [open] = await transaction
        .select({ count: count() })
        .from(run)
        .where(
          and(eq(run.tenantId, scope.tenantId), inArray(run.preset, [...presets]), inArray(run.state, ['QUEUED', 'RUNNING', 'WAITING'])),
        );
      return { sessions, openRuns: open?.count ?? 0 };
    },

    async countCalls(capabilityIds, since) {
      if (capabilityIds.length === 0) return new Map();
      const rows = await transaction
        .select({ capabilityId: invocation.capabilityId, count: count() })
        .from(invocation)
        .where(
          and(
            eq(invocation.tenantId, scope.tenantId),
            inArray(invocation.capabilityId, [...capabilityIds]),
            gte(invocation.requestedAt, since),
          ),
        )
        .groupBy(invocation.capabilityId);
      return new Map(rows.map((row) => [row.capabilityId, row.count]));
    },

    async namesOf(userIds): Promise<ReadonlyMap<Id<'user'>, string>> {
      if (userIds.length === 0) return new Map();
      const rows = await transaction
        .select({ id: appUser.id, name: sql<string>`coalesce(nullif(${appUser.name}, ''), ${appUser.email})` })
        .from(appUser)
        .where(inArray(appUser.id, [...new Set(userIds)]));
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}

function toSnapshot({ id, pluginId, version, createdBy, createdAt, ...row }: typeof pluginSettingsSnapshot.$inferSelect): SettingsSnapshot {
  return { id, pluginId, version, settings: readPluginSettings(row), createdBy, createdAt };
}

function toRequest({ tenantId: _tenant, state, ...row }: typeof pluginRequest.$inferSelect): PluginRequest {
  return { ...row, state: state as PluginRequest['state'] };
}
