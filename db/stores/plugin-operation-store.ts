import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { AppError } from '#lib/kernel/index.ts';
import type { OperationStore } from '#lib/plugins/index.ts';
import { pluginOperation } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';
import { toOperation } from './plugin-rows.ts';

export function bindPluginOperationStore({ transaction, scope }: TenantBinding): OperationStore {
  const ofTenant = eq(pluginOperation.tenantId, scope.tenantId);
  const one = (id: typeof pluginOperation.$inferSelect.id) => and(ofTenant, eq(pluginOperation.id, id));
  const isRunning = eq(pluginOperation.state, 'RUNNING');
  const select = () => transaction.select().from(pluginOperation);
  return {
    async begin(operation, claim) {
      const { settings, requester, permissions, ...row } = operation;
      await orIfTaken(
        transaction.insert(pluginOperation).values({
          tenantId: scope.tenantId,
          ...row,
          permissions: [...permissions],
          settings: settings.values,
          secrets: settings.secrets,
          requestedBy: requester.userId,
          apiKeyId: requester.apiKeyId ?? null,
          claim,
          claimedAt: operation.createdAt,
        }),
        () => new AppError({ code: 'conflict', message: `${operation.pluginId} is being installed already.` }),
      );
    },

    async find(id) {
      const [row] = await select().where(one(id));
      return row ? toOperation(row) : null;
    },

    async findLatest(pluginId) {
      const [row] = await select()
        .where(and(ofTenant, eq(pluginOperation.pluginId, pluginId)))
        .orderBy(desc(pluginOperation.id))
        .limit(1);
      return row ? toOperation(row) : null;
    },

    async listRunning() {
      const rows = await select().where(and(ofTenant, isRunning));
      return rows.map(toOperation);
    },

    async claim(id, claim, quietMs) {
      // The database's clock: processes need not agree about the time.
      const [row] = await transaction
        .update(pluginOperation)
        .set({ claim, claimedAt: sql`now()` })
        .where(and(one(id), isRunning, lt(pluginOperation.claimedAt, sql`now() - make_interval(secs => ${quietMs / 1000})`)))
        .returning();
      return row ? toOperation(row) : null;
    },

    async hold(id, claim) {
      const [row] = await select()
        .where(and(one(id), isRunning, eq(pluginOperation.claim, claim)))
        .for('update');
      if (!row) throw new AppError({ code: 'stale_epoch', message: 'Another process carries this operation on.' });
      return toOperation(row);
    },

    async beat(id, claim) {
      await transaction
        .update(pluginOperation)
        .set({ claimedAt: sql`now()` })
        .where(and(one(id), isRunning, eq(pluginOperation.claim, claim)));
    },

    async update({ id, state, done, documents, error, endedAt }) {
      await transaction.update(pluginOperation).set({ state, done, documents, error, endedAt, claimedAt: sql`now()` }).where(one(id));
    },
  };
}
