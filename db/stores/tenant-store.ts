import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { AppError } from '#lib/kernel/index.ts';
import type { Tenant, TenantStore } from '#lib/tenancy/index.ts';
import { tenant, tenantMember, tenantPurge } from '../schema/index.ts';
import type { Transaction } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';

export function bindTenantStore({ transaction }: { transaction: Transaction }): TenantStore {
  return {
    async add(added) {
      await orIfTaken(
        transaction.insert(tenant).values(added),
        () => new AppError({ code: 'slug_taken', message: `The address ${added.slug} is taken. Choose another.` }),
      );
    },
    async find(id) {
      const [row] = await transaction
        .select()
        .from(tenant)
        .where(and(eq(tenant.id, id), isNull(tenant.deletedAt)));
      return row ? toTenant(row) : null;
    },
    async findBySlug(slug) {
      const [row] = await transaction
        .select()
        .from(tenant)
        .where(and(eq(tenant.slug, slug), isNull(tenant.deletedAt)));
      return row ? toTenant(row) : null;
    },
    async listOfUser(userId) {
      const rows = await transaction
        .select({ tenant })
        .from(tenantMember)
        .innerJoin(tenant, eq(tenant.id, tenantMember.tenantId))
        .where(and(eq(tenantMember.userId, userId), isNull(tenantMember.disabledAt), isNull(tenant.deletedAt)))
        .orderBy(asc(tenant.name), asc(tenant.id));
      return rows.map((row) => toTenant(row.tenant));
    },
    async listIdsOfUser(userId) {
      const rows = await transaction
        .select({ id: tenant.id })
        .from(tenantMember)
        .innerJoin(tenant, eq(tenant.id, tenantMember.tenantId))
        .where(and(eq(tenantMember.userId, userId), isNull(tenant.deletedAt)));
      return rows.map(({ id }) => id);
    },
    async listIdsByGroupOf(userId) {
      const rows = await transaction
        .select({ id: tenant.id })
        .from(tenantMember)
        .innerJoin(tenant, eq(tenant.id, tenantMember.tenantId))
        .where(and(eq(tenantMember.userId, userId), eq(tenantMember.isFromGroup, true), isNull(tenant.deletedAt)));
      return rows.map(({ id }) => id);
    },
    async update(id, { name, defaultLocale }) {
      if (name !== undefined) await transaction.update(tenant).set({ name }).where(eq(tenant.id, id));
      if (defaultLocale === undefined) return;
      await transaction
        .update(tenant)
        .set({ settings: sql`${tenant.settings} || jsonb_build_object('locale', ${defaultLocale}::text)` })
        .where(eq(tenant.id, id));
    },
    async suspend(id, at) {
      await transaction.update(tenant).set({ suspendedAt: at }).where(eq(tenant.id, id));
    },
    async close({ id, slug, name }, { userId, at }) {
      await transaction.update(tenant).set({ deletedAt: at }).where(eq(tenant.id, id));
      await transaction.insert(tenantPurge).values({ id, slug, name, requestedBy: userId, requestedAt: at });
    },
    async lockRights(id) {
      await transaction.select({ id: tenant.id }).from(tenant).where(eq(tenant.id, id)).for('update');
    },
  };
}

const tenantSettings = z.object({ locale: z.enum(['en', 'zh-CN']).nullable().catch(null) });

export function toTenant(row: typeof tenant.$inferSelect): Tenant {
  const { id, slug, name, isDemo, suspendedAt, createdAt } = row;
  const settings = tenantSettings.safeParse(row.settings);
  return { id, slug, name, isDemo, defaultLocale: settings.success ? settings.data.locale : null, suspendedAt, createdAt };
}
