import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { isLocale, type Locale } from '#lib/i18n/index.ts';
import { fromUuid, type Id, toUuid } from '#lib/kernel/index.ts';
import { chosenNoticeKind, deliveryState, noticeKind } from '#lib/notifications/contract.ts';
import type { DeliveryStore, ListedDelivery, Notice, NoticeSettingStore, NoticeStore, Recipient } from '#lib/notifications/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';
import { appUser, notice, noticeAttempt, noticeDelivery, noticePreference, noticeWebhook } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

const noticedBudget = z.object({
  subject: z.string(),
  measure: z.string(),
  currency: z.string().nullable(),
  period: z.string(),
  used: z.number().nullable(),
  softLimit: z.number().nullable(),
  hardLimit: z.number().nullable(),
});

const noticeRow = z.object({
  id: z.string(),
  kind: noticeKind,
  subject_id: z.string().nullable(),
  run_id: z.string().nullable(),
  session_id: z.string().nullable(),
  user_id: z.string(),
  user_name: z.string(),
  details: noticedBudget.nullable(),
  created_at: z.coerce.date(),
  slug: z.string(),
  tenant_name: z.string(),
  is_open: z.boolean(),
  capability_id: z.string().nullable(),
  risk: z.string().nullable(),
  needs_other: z.boolean().nullable(),
  expires_at: z.coerce.date().nullable(),
});

/** Which members are told beside the one whose run it is, and by which of their choices. */
const AUDIENCES: Readonly<Record<string, { permission: Permission | null; choice: 'approvals' | 'questions' | 'budgets' }>> = {
  'approval.requested': { permission: 'approval:decide', choice: 'approvals' },
  'question.asked': { permission: null, choice: 'questions' },
  'budget.soft-limit': { permission: 'budget:manage', choice: 'budgets' },
  'budget.refused': { permission: 'budget:manage', choice: 'budgets' },
};

export function bindNoticeStore({ transaction, scope: { tenantId } }: TenantBinding): NoticeStore {
  const tenant = toUuid(tenantId);
  const one = (id: Id<'notice'>) => and(eq(notice.tenantId, tenantId), eq(notice.id, id));
  const find: NoticeStore['find'] = async (id) => {
    const rows = await transaction.execute(sql`
      select n.id, n.kind, n.subject_id, n.run_id, n.user_id, n.details, n.created_at, t.slug, t.name as tenant_name, u.name as user_name,
        r.session_id, a.capability_id, a.risk, a.needs_other, a.expires_at,
        case n.kind when 'approval.requested' then coalesce(a.state = 'OPEN' and a.expires_at > clock_timestamp(), false)
          when 'question.asked' then coalesce(q.state = 'OPEN', false) else true end as is_open
      from notice n
      join tenant t on t.id = n.tenant_id
      join app_user u on u.id = n.user_id
      left join run r on r.tenant_id = n.tenant_id and r.id = n.run_id
      left join approval a on n.kind = 'approval.requested' and a.tenant_id = n.tenant_id and a.id = n.subject_id
      left join question q on n.kind = 'question.asked' and q.tenant_id = n.tenant_id and q.id = n.subject_id
      where n.tenant_id = ${tenant} and n.id = ${toUuid(id)}`);
    return rows[0] ? toNotice(rows[0]) : null;
  };
  return {
    find,
    async add(made) {
      await transaction.insert(notice).values({ tenantId, ...made });
    },
    async takeUnspread(id) {
      const rows = await transaction.execute(sql`
        select 1 from notice where tenant_id = ${tenant} and id = ${toUuid(id)} and spread_at is null for update skip locked`);
      return rows.length > 0 ? find(id) : null;
    },
    async markSpread(id, at) {
      await transaction.update(notice).set({ spreadAt: at }).where(one(id));
    },
    async listRecipients({ kind, person, call }) {
      const audience = AUDIENCES[kind];
      if (!audience) return [];
      // Four eyes: whoever asked for the run is not asked to decide.
      const isPersonTold = kind !== 'approval.requested' || call?.needsOther === false;
      const rows = await transaction.execute(sql`
        select u.id, u.email, u.locale, coalesce(u.time_zone, t.time_zone) as time_zone
        from tenant_member m
        join tenant t on t.id = m.tenant_id
        join app_user u on u.id = m.user_id
        join role r on r.tenant_id = m.tenant_id and r.id = m.role_id
        left join notice_preference p on p.tenant_id = m.tenant_id and p.user_id = m.user_id
        where m.tenant_id = ${tenant} and m.disabled_at is null and u.disabled_at is null
          and case when m.user_id = ${toUuid(person.userId)} then ${isPersonTold}::boolean else ${audience.permission}::text = any (r.permissions) end
          and coalesce(p.${sql.raw(audience.choice)}, true)
        order by m.user_id`);
      return rows.map(toRecipient);
    },
  };
}

export function bindDeliveryStore({ transaction, scope: { tenantId }, clock }: TenantBinding): DeliveryStore {
  const tenant = toUuid(tenantId);
  const one = (id: Id<'delivery'>) => and(eq(noticeDelivery.tenantId, tenantId), eq(noticeDelivery.id, id));
  async function read(where: ReturnType<typeof sql>, limit: number): Promise<ListedDelivery[]> {
    const rows = await transaction
      .select({ delivery: noticeDelivery, kind: notice.kind, recipientName: appUser.name })
      .from(noticeDelivery)
      .innerJoin(notice, and(eq(notice.tenantId, noticeDelivery.tenantId), eq(notice.id, noticeDelivery.noticeId)))
      .leftJoin(appUser, eq(appUser.id, noticeDelivery.userId))
      .where(and(eq(noticeDelivery.tenantId, tenantId), where))
      .orderBy(sql`${noticeDelivery.id} desc`)
      .limit(limit);
    const ids = rows.map(({ delivery }) => delivery.id);
    const attempts =
      ids.length === 0
        ? []
        : await transaction
            .select()
            .from(noticeAttempt)
            .where(and(eq(noticeAttempt.tenantId, tenantId), inArray(noticeAttempt.deliveryId, ids)))
            .orderBy(noticeAttempt.ordinal);
    const ofDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    return rows.map(({ delivery, kind, recipientName }) => ({
      ...toDelivery(delivery),
      kind: noticeKind.parse(kind),
      recipientName,
      createdAt: delivery.createdAt,
      nextAttemptAt: delivery.nextAttemptAt,
      endedAt: delivery.endedAt,
      attempts: ofDelivery.get(delivery.id) ?? [],
    }));
  }
  return {
    async add(deliveries) {
      if (deliveries.length === 0) return;
      await transaction
        .insert(noticeDelivery)
        .values(deliveries.map((delivery) => ({ tenantId, state: 'PENDING', createdAt: clock.now(), ...delivery })))
        .onConflictDoNothing();
    },

    async take(id, now, leaseMs) {
      const [row] = await transaction
        .update(noticeDelivery)
        .set({ attemptCount: sql`${noticeDelivery.attemptCount} + 1`, leasedUntil: new Date(now.getTime() + leaseMs) })
        .where(
          and(
            one(id),
            eq(noticeDelivery.state, 'PENDING'),
            sql`${noticeDelivery.nextAttemptAt} <= ${now.toISOString()}::timestamptz`,
            sql`(${noticeDelivery.leasedUntil} is null or ${noticeDelivery.leasedUntil} < ${now.toISOString()}::timestamptz)`,
          ),
        )
        .returning();
      return row ? toDelivery(row) : null;
    },

    async settle({ id, attemptCount }, { state, attempt, nextAttemptAt, at }) {
      const rows = await transaction
        .update(noticeDelivery)
        .set({ state, leasedUntil: null, ...(nextAttemptAt ? { nextAttemptAt } : { endedAt: at }) })
        .where(and(one(id), eq(noticeDelivery.state, 'PENDING'), eq(noticeDelivery.attemptCount, attemptCount)))
        .returning({ id: noticeDelivery.id });
      if (rows.length === 0) return false;
      if (attempt) await transaction.insert(noticeAttempt).values({ tenantId, deliveryId: id, ordinal: attemptCount, ...attempt });
      return true;
    },

    find: async (id) => (await read(sql`${noticeDelivery.id} = ${toUuid(id)}`, 1))[0] ?? null,

    list({ before, state, limit }) {
      const older = before ? sql`${noticeDelivery.id} < ${toUuid(before)}` : sql`true`;
      return read(state ? sql`${older} and ${noticeDelivery.state} = ${state}` : older, limit);
    },

    async repeat(id, at, attempts) {
      await transaction.execute(sql`
        update notice_delivery set state = 'PENDING', is_repeat = true, next_attempt_at = ${at.toISOString()}::timestamptz, leased_until = null,
          ended_at = null, attempt_limit = attempt_count + ${attempts}
        where tenant_id = ${tenant} and id = ${toUuid(id)} and state <> 'PENDING'`);
    },
  };
}

export function bindNoticeSettingStore({ transaction, scope }: TenantBinding): NoticeSettingStore {
  const { tenantId } = scope;
  const ofMember = (userId: Id<'user'>) => and(eq(noticePreference.tenantId, tenantId), eq(noticePreference.userId, userId));
  return {
    async findWebhook() {
      const [row] = await transaction.select().from(noticeWebhook).where(eq(noticeWebhook.tenantId, tenantId));
      if (!row) return null;
      const { earlierSecret: box, earlierKeyId: keyId, earlierUntil: until } = row;
      return {
        url: row.url,
        kinds: row.kinds.flatMap((kind) => chosenNoticeKind.safeParse(kind).data ?? []),
        isEnabled: row.isEnabled,
        secret: { box: row.encryptedSecret, keyId: row.keyId },
        earlier: box !== null && keyId !== null && until ? { secret: { box, keyId }, until } : null,
        updatedAt: row.updatedAt,
      };
    },

    async putWebhook({ url, kinds, isEnabled, secret, earlier, updatedAt }) {
      const set = {
        url,
        kinds: [...kinds],
        isEnabled,
        encryptedSecret: secret.box,
        keyId: secret.keyId,
        earlierSecret: earlier?.secret.box ?? null,
        earlierKeyId: earlier?.secret.keyId ?? null,
        earlierUntil: earlier?.until ?? null,
        updatedAt,
        updatedBy: scope.userId ?? null,
      };
      await transaction
        .insert(noticeWebhook)
        .values({ tenantId, ...set })
        .onConflictDoUpdate({ target: noticeWebhook.tenantId, set });
    },

    async removeWebhook() {
      await transaction.delete(noticeWebhook).where(eq(noticeWebhook.tenantId, tenantId));
    },

    async readPreference(userId) {
      const [row] = await transaction
        .select({ approvals: noticePreference.approvals, questions: noticePreference.questions, budgets: noticePreference.budgets })
        .from(noticePreference)
        .where(ofMember(userId));
      return row ?? { approvals: true, questions: true, budgets: true };
    },

    async writePreference(userId, preference) {
      await transaction
        .insert(noticePreference)
        .values({ tenantId, userId, ...preference })
        .onConflictDoUpdate({ target: [noticePreference.tenantId, noticePreference.userId], set: preference });
    },

    async findAddress(userId) {
      const [row] = await transaction.select({ email: appUser.email }).from(appUser).where(eq(appUser.id, userId));
      return row?.email ?? '';
    },
  };
}

function toNotice(row: Record<string, unknown>): Notice {
  const read = noticeRow.parse(row);
  const { capability_id: capabilityId, risk, needs_other: needsOther, expires_at: expiresAt } = read;
  return {
    id: fromUuid('notice', read.id),
    kind: read.kind,
    createdAt: read.created_at,
    tenant: { slug: read.slug, name: read.tenant_name },
    subjectId: read.subject_id === null ? null : subjectIdOf(read.kind, read.subject_id),
    runId: read.run_id === null ? null : fromUuid('run', read.run_id),
    sessionId: read.session_id === null ? null : fromUuid('session', read.session_id),
    person: { userId: fromUuid('user', read.user_id), name: read.user_name },
    isOpen: read.is_open,
    call:
      capabilityId !== null && risk !== null && needsOther !== null && expiresAt !== null
        ? { capabilityId, risk, needsOther, expiresAt }
        : null,
    budget: read.details,
  };
}

function subjectIdOf(kind: Notice['kind'], uuid: string): NonNullable<Notice['subjectId']> {
  if (kind === 'approval.requested') return fromUuid('approval', uuid);
  return kind === 'question.asked' ? fromUuid('question', uuid) : fromUuid('budget', uuid);
}

function toRecipient(row: Record<string, unknown>): Recipient {
  const locale: Locale | null = isLocale(row.locale) ? row.locale : null;
  return { userId: fromUuid('user', String(row.id)), email: String(row.email), locale, timeZone: String(row.time_zone) };
}

function toDelivery(row: typeof noticeDelivery.$inferSelect) {
  const { id, noticeId, channel, userId, state, attemptCount, attemptLimit, isRepeat } = row;
  return {
    id,
    noticeId,
    channel: channel === 'mail' ? ('mail' as const) : ('webhook' as const),
    userId,
    state: deliveryState.parse(state),
    attemptCount,
    attemptLimit,
    isRepeat,
  };
}
