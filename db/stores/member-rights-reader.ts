import type { PendingQuery, ReservedSql, Row, Sql } from 'postgres';
import { z } from 'zod';
import { type Clock, fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { MemberRights, RightsReader } from '#lib/tenancy/index.ts';
import { pipelined, readTogether } from '../pipelined.ts';

/** "Last seen" and "last used" are no more exact than this, so that reading rights is not a write on every request. */
const TOUCH_AFTER_MS = 60_000;

const memberRow = z.object({
  last_seen_at: z.date(),
  tenant_id: z.string().nullable(),
  user_id: z.string(),
  email: z.string(),
  user_name: z.string(),
  locale: z.string().nullable(),
  theme: z.string().nullable(),
  time_zone: z.string().nullable(),
  is_operator: z.boolean(),
  is_suspended: z.boolean(),
  role_key: z.string().nullable(),
  role_name: z.string().nullable(),
  permissions: z.array(z.string()).nullable(),
});
const sessionRow = z.object({
  ...memberRow.shape,
  viewed_key: z.string().nullable(),
  viewed_name: z.string().nullable(),
  viewed_permissions: z.array(z.string()).nullable(),
});
const keyRow = z.object({ ...memberRow.shape, last_seen_at: z.date().nullable(), key_id: z.string(), scopes: z.array(z.string()) });
const accountRow = z.object({
  last_seen_at: z.date(),
  email: z.string(),
  name: z.string(),
  locale: z.string().nullable(),
  theme: z.string().nullable(),
  time_zone: z.string().nullable(),
  is_operator: z.boolean(),
  has_password: z.boolean(),
});
const runRow = z.object({
  ...memberRow.shape,
  last_seen_at: z.date().nullable(),
  key_id: z.string().nullable(),
  scopes: z.array(z.string()).nullable(),
});

/**
 * Rights straight from the rows, in one round trip: the tenant is entered, read and left in one pipelined transaction.
 * Row-level security holds here as everywhere: the tenant that is entered is the slug's, or the key's own.
 */
export function createRightsReader({ sql, clock }: { sql: Sql; clock: Clock }): RightsReader {
  return {
    async readBySignIn({ slug, userId, signInSessionId }) {
      const now = clock.now();
      const rows = await readInTenant(sql, (connection) => [
        connection`
          select set_config('app.tenant_id', coalesce((select id::text from tenant where slug = ${slug} and deleted_at is null), ''), true),
            set_config('app.user_id', ${toUuid(userId)}, true)`,
        connection`
          select s.last_seen_at, m.tenant_id, u.id as user_id, u.email, u.name as user_name, u.locale, u.theme,
            coalesce(u.time_zone, t.time_zone) as time_zone, u.is_operator, t.suspended_at is not null as is_suspended, r.key as role_key, r.name as role_name, r.permissions,
            v.key as viewed_key, v.name as viewed_name, v.permissions as viewed_permissions
          from sign_in_session s
          join app_user u on u.id = s.user_id and u.disabled_at is null
          left join tenant t on t.id = nullif(current_setting('app.tenant_id', true), '')::uuid
          left join tenant_member m on m.tenant_id = t.id and m.user_id = u.id and m.disabled_at is null
          left join role r on r.tenant_id = m.tenant_id and r.id = m.role_id
          left join role v on v.tenant_id = m.tenant_id and v.id = s.viewed_role_id
          where s.id = ${toUuid(signInSessionId)} and s.user_id = ${toUuid(userId)} and s.revoked_at is null and s.expires_at > ${now}`,
      ]);
      const row = rows[0] ? sessionRow.parse(rows[0]) : null;
      if (!row) return null;
      if (isStale(row.last_seen_at, now)) await sql`update sign_in_session set last_seen_at = ${now} where id = ${toUuid(signInSessionId)}`;
      const member = toMemberRights(row, null);
      const { viewed_key: key, viewed_name: name, viewed_permissions: permissions } = row;
      return {
        member: member && key !== null && name !== null ? { ...member, viewedRole: { key, name, permissions: permissions ?? [] } } : member,
      };
    },

    async readByApiKey({ slug, hash }) {
      const now = clock.now();
      const rows = await readInTenant(sql, (connection) => [
        connection`select set_config('app.tenant_id', coalesce((select tenant_id::text from api_key_hash where hash = ${hash}), ''), true)`,
        connection`
          select k.last_used_at as last_seen_at, k.id as key_id, k.scopes, case when ${slug}::text is null or t.slug = ${slug} then t.id end as tenant_id,
            u.id as user_id, u.email, u.name as user_name, u.locale, u.theme, coalesce(u.time_zone, t.time_zone) as time_zone,
            u.is_operator, t.suspended_at is not null as is_suspended, r.key as role_key, r.name as role_name, r.permissions
          from api_key_hash h
          join api_key k on k.tenant_id = h.tenant_id and k.id = h.api_key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
          join tenant t on t.id = k.tenant_id and t.deleted_at is null
          join app_user u on u.id = k.user_id and u.disabled_at is null
          join tenant_member m on m.tenant_id = k.tenant_id and m.user_id = k.user_id and m.disabled_at is null
          join role r on r.tenant_id = m.tenant_id and r.id = m.role_id
          where h.hash = ${hash}`,
      ]);
      const row = rows[0] ? keyRow.parse(rows[0]) : null;
      if (!row) return null;
      const member = toMemberRights(row, { id: fromUuid('apiKey', row.key_id), scopes: row.scopes });
      if (member && isStale(row.last_seen_at, now)) {
        await readInTenant(sql, (connection) => [
          connection`select set_config('app.tenant_id', ${toUuid(member.tenantId)}, true)`,
          connection`update api_key set last_used_at = ${now} where tenant_id = ${toUuid(member.tenantId)} and id = ${row.key_id}`,
        ]);
      }
      return { member };
    },

    async readOfRun({ tenantId, userId, apiKeyId }) {
      const keyId = apiKeyId ? toUuid(apiKeyId) : null;
      const [rows] = await readTogether(sql, { tenantId, userId }, (connection) => [
        connection`
          select null::timestamptz as last_seen_at, k.id as key_id, k.scopes, m.tenant_id, u.id as user_id, u.email, u.name as user_name, u.locale,
            u.theme, coalesce(u.time_zone, t.time_zone) as time_zone, u.is_operator, t.suspended_at is not null as is_suspended, r.key as role_key, r.name as role_name, r.permissions
          from tenant_member m
          join tenant t on t.id = m.tenant_id and t.deleted_at is null
          join app_user u on u.id = m.user_id and u.disabled_at is null
          join role r on r.tenant_id = m.tenant_id and r.id = m.role_id
          left join api_key k on k.tenant_id = m.tenant_id and k.id = ${keyId} and k.user_id = m.user_id
            and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${clock.now()})
          where m.tenant_id = ${toUuid(tenantId)} and m.user_id = ${toUuid(userId)} and m.disabled_at is null`,
      ]);
      const row = rows[0] ? runRow.parse(rows[0]) : null;
      if (!row || (keyId && !row.key_id)) return null;
      return toMemberRights(row, row.key_id && row.scopes ? { id: fromUuid('apiKey', row.key_id), scopes: row.scopes } : null);
    },

    async readAccount({ userId, signInSessionId }) {
      const now = clock.now();
      const rows = await sql`
        select s.last_seen_at, u.email, u.name, u.locale, u.theme, u.time_zone, u.is_operator, u.password_hash is not null as has_password
        from sign_in_session s
        join app_user u on u.id = s.user_id and u.disabled_at is null
        where s.id = ${toUuid(signInSessionId)} and s.user_id = ${toUuid(userId)} and s.revoked_at is null and s.expires_at > ${now}`;
      const row = rows[0] ? accountRow.parse(rows[0]) : null;
      if (!row) return null;
      if (isStale(row.last_seen_at, now)) await sql`update sign_in_session set last_seen_at = ${now} where id = ${toUuid(signInSessionId)}`;
      const { email, name, theme } = row;
      const locale = row.locale === 'en' || row.locale === 'zh-CN' ? row.locale : null;
      const about = { timeZone: row.time_zone, hasPassword: row.has_password, isOperator: row.is_operator };
      return { userId, signInSessionId, email, name, locale, theme, ...about };
    },
  };
}

/** begin, the setting, the statement and commit leave together. Returns the statement's rows. */
async function readInTenant(
  sql: Sql,
  statements: (connection: ReservedSql) => readonly [PendingQuery<Row[]>, PendingQuery<Row[]>],
): Promise<Row[]> {
  const [, rows = []] = await pipelined(sql, statements);
  return rows;
}

function toMemberRights(row: z.infer<typeof memberRow> | z.infer<typeof runRow>, apiKey: MemberRights['apiKey']): MemberRights | null {
  if (row.tenant_id === null || row.role_key === null) return null;
  return {
    tenantId: fromUuid('tenant', row.tenant_id),
    userId: fromUuid('user', row.user_id),
    email: row.email,
    name: row.user_name,
    locale: row.locale,
    timeZone: row.time_zone ?? 'UTC',
    roleKey: row.role_key,
    roleName: row.role_name ?? row.role_key,
    rolePermissions: row.permissions ?? [],
    apiKey,
    viewedRole: null,
    isTenantSuspended: row.is_suspended,
  };
}

function isStale(at: Date | null, now: Date): boolean {
  return at === null || now.getTime() - at.getTime() > TOUCH_AFTER_MS;
}
