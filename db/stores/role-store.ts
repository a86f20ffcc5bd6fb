import { and, asc, count, desc, eq, ne, sql } from 'drizzle-orm';
import { AppError, type Id, storableText } from '#lib/kernel/index.ts';
import type { Role, RoleStore } from '#lib/tenancy/index.ts';
import { role, tenantMember } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfInUse, orIfTaken } from './database-error.ts';

export function bindRoleStore({ transaction, scope: { tenantId } }: TenantBinding): RoleStore {
  const select = () =>
    transaction
      .select({ role, memberCount: count(tenantMember.userId) })
      .from(role)
      .leftJoin(tenantMember, and(eq(tenantMember.tenantId, role.tenantId), eq(tenantMember.roleId, role.id)))
      .groupBy(role.id)
      .orderBy(desc(role.isBuiltIn), asc(role.id));
  const requireFreeName = async (name: string, except: Id<'role'>) => {
    const rows = await transaction
      .select({ id: role.id })
      .from(role)
      .where(and(eq(role.tenantId, tenantId), sql`lower(${role.name}) = lower(${storableText(name)})`, ne(role.id, except)));
    if (rows.length > 0) throw roleExists(name);
  };
  return {
    async list() {
      return (await select().where(eq(role.tenantId, tenantId))).map(toRole);
    },
    async find(id) {
      const [row] = await select().where(and(eq(role.tenantId, tenantId), eq(role.id, id)));
      return row ? toRole(row) : null;
    },
    async findByKey(key) {
      const [row] = await select().where(and(eq(role.tenantId, tenantId), eq(role.key, key)));
      return row ? toRole(row) : null;
    },
    async add(added) {
      await requireFreeName(added.name, added.id);
      await orIfTaken(transaction.insert(role).values({ ...added, permissions: [...added.permissions], tenantId }), () =>
        roleExists(added.name),
      );
    },
    async update(id, change) {
      await requireFreeName(change.name, id);
      await transaction
        .update(role)
        .set({ name: change.name, permissions: [...change.permissions] })
        .where(and(eq(role.tenantId, tenantId), eq(role.id, id)));
    },
    async remove(id) {
      await orIfInUse(
        transaction.delete(role).where(and(eq(role.tenantId, tenantId), eq(role.id, id))),
        () => new AppError({ code: 'role_in_use', message: 'Members have this role: give them another one first.' }),
      );
    },
  };
}

function toRole(row: { role: typeof role.$inferSelect; memberCount: number }): Role {
  const { id, key, name, isBuiltIn, permissions } = row.role;
  return { id, key, name, isBuiltIn, permissions, memberCount: row.memberCount };
}

function roleExists(name: string): AppError {
  return new AppError({ code: 'role_exists', message: `There is a role named ${name} already.` });
}
