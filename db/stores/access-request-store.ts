import { and, count, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { AppError, type Id } from '#lib/kernel/index.ts';
import { type AccessRequest, type AccessRequestStore, isPermission } from '#lib/tenancy/index.ts';
import { accessRequest, appUser } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';

const decider = alias(appUser, 'decider');

export function bindAccessRequestStore({ transaction, scope: { tenantId } }: TenantBinding): AccessRequestStore {
  const ofTenant = eq(accessRequest.tenantId, tenantId);
  const one = (id: Id<'accessRequest'>) => and(ofTenant, eq(accessRequest.id, id));
  const select = () =>
    transaction
      .select({ request: accessRequest, requesterName: appUser.name, deciderName: decider.name })
      .from(accessRequest)
      .innerJoin(appUser, eq(appUser.id, accessRequest.userId))
      .leftJoin(decider, eq(decider.id, accessRequest.decidedBy));
  const find: AccessRequestStore['find'] = async (id) => (await select().where(one(id))).flatMap(toRequest)[0] ?? null;
  return {
    find,
    async lock(id) {
      const rows = await transaction.select({ id: accessRequest.id }).from(accessRequest).where(one(id)).for('update');
      return rows.length > 0 ? find(id) : null;
    },
    async add(request) {
      await orIfTaken(
        transaction.insert(accessRequest).values({ ...request, tenantId, state: 'OPEN' }),
        () => new AppError({ code: 'conflict', message: 'You have asked for this already; nobody has decided yet.' }),
      );
    },
    async list({ ofUser, state, permission, limit }) {
      const rows = await select()
        .where(
          and(
            ofTenant,
            ofUser ? eq(accessRequest.userId, ofUser) : undefined,
            state ? eq(accessRequest.state, state) : undefined,
            permission ? eq(accessRequest.permission, permission) : undefined,
          ),
        )
        .orderBy(desc(accessRequest.id))
        .limit(limit);
      return rows.flatMap(toRequest);
    },
    async decide(id, { state, by, at, note }) {
      await transaction.update(accessRequest).set({ state, decidedBy: by, decidedAt: at, note }).where(one(id));
    },
    async countOpen() {
      const [row] = await transaction
        .select({ open: count() })
        .from(accessRequest)
        .where(and(ofTenant, eq(accessRequest.state, 'OPEN')));
      return row?.open ?? 0;
    },
  };
}

const STATES = ['OPEN', 'GRANTED', 'REFUSED', 'WITHDRAWN'] as const satisfies readonly AccessRequest['state'][];

/** None for a permission that this version does not know any more: there is nothing left to decide. */
function toRequest(row: {
  request: typeof accessRequest.$inferSelect;
  requesterName: string;
  deciderName: string | null;
}): AccessRequest[] {
  const { id, userId, permission, reason, decidedBy, decidedAt, note, createdAt } = row.request;
  const state = STATES.find((known) => known === row.request.state);
  if (!isPermission(permission) || !state) return [];
  return [
    {
      id,
      requester: { userId, name: row.requesterName },
      permission,
      reason,
      state,
      decidedBy: decidedBy && row.deciderName !== null ? { userId: decidedBy, name: row.deciderName } : null,
      decidedAt,
      note,
      createdAt,
    },
  ];
}
