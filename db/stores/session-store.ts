import { and, desc, eq, ilike, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { compactionView, contextView } from '#lib/conversations/contract.ts';
import type { CompactionView, SessionStore, SessionView, TranscriptView, UsageView } from '#lib/conversations/index.ts';
import { AppError, fromUuid, type Id, parseId, toUuid } from '#lib/kernel/index.ts';
import { agentSession, conversationSummary, message, run, sessionEvent } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { toUsage, USAGE_COLUMNS } from './usage-rows.ts';

const OPEN_STATES = ['QUEUED', 'RUNNING', 'WAITING'];

/** Sessions of the scope's person. */
export function bindSessionStore({ transaction, scope, clock }: TenantBinding): SessionStore {
  const own = and(
    eq(agentSession.tenantId, scope.tenantId),
    eq(agentSession.userId, scope.userId ?? fromUuid('user', '00000000-0000-0000-0000-000000000000')),
    isNull(agentSession.deletedAt),
  );
  // The table is named: Drizzle would leave it out, and `id` mean the run's.
  const lastRun = sql<{ id: string; state: string } | null>`(
    select jsonb_build_object('id', r.id, 'state', r.state) from run r
    where r.tenant_id = agent_session.tenant_id and r.session_id = agent_session.id order by r.id desc limit 1)`;
  const columns = { session: agentSession, lastRun };

  return {
    async create({ id, preset, title, checkpointThreadId }) {
      if (!scope.userId) throw new AppError({ code: 'tenant_context_missing', message: 'tenant context missing' });
      const now = clock.now();
      await transaction.insert(agentSession).values({
        tenantId: scope.tenantId,
        id,
        userId: scope.userId,
        preset,
        state: 'IDLE',
        title,
        checkpointThreadId,
        createdAt: now,
        updatedAt: now,
      });
    },

    async find(id) {
      const [row] = await transaction
        .select(columns)
        .from(agentSession)
        .where(and(own, eq(agentSession.id, id)));
      return row ? toSession(row) : null;
    },

    async list({ cursor, limit, q, archived }) {
      const after = cursor === null ? undefined : afterCursor(cursor);
      const rows = await transaction
        .select(columns)
        .from(agentSession)
        .where(
          and(
            own,
            eq(agentSession.isTask, false),
            archived ? isNotNull(agentSession.archivedAt) : isNull(agentSession.archivedAt),
            after &&
              sql`(${agentSession.isPinned}, ${agentSession.updatedAt}, ${agentSession.id}) < (${after.isPinned}, ${after.updatedAt}, ${after.uuid})`,
            q ? or(ilike(agentSession.title, likePattern(q)), inSessionsSaying(q)) : undefined,
          ),
        )
        .orderBy(desc(agentSession.isPinned), desc(agentSession.updatedAt), desc(agentSession.id))
        .limit(limit + 1);
      const items = rows.slice(0, limit).map(toSession);
      const last = rows[limit - 1]?.session;
      return { items, nextCursor: rows.length > limit && last ? toCursor(last) : null };
    },

    async update(id, change) {
      const rows = await transaction
        .update(agentSession)
        .set({
          ...(change.title !== undefined && { title: change.title }),
          ...(change.isPinned !== undefined && { isPinned: change.isPinned }),
          ...(change.isArchived !== undefined && { archivedAt: change.isArchived ? clock.now() : null }),
        })
        .where(and(own, eq(agentSession.id, id)))
        .returning({ id: agentSession.id });
      // An update without a change still tells whether the session is there.
      return rows.length > 0;
    },

    async remove(id, move) {
      const now = clock.now();
      const [closed] = await transaction
        .update(agentSession)
        .set({ deletedAt: now, ...(move && { state: move.payload.to, eventSeq: sql`${agentSession.eventSeq} + 1` }) })
        .where(and(own, eq(agentSession.id, id)))
        .returning({ seq: agentSession.eventSeq });
      if (closed && move) {
        const { type, payload } = move;
        await transaction.insert(sessionEvent).values({ tenantId: scope.tenantId, sessionId: id, seq: closed.seq, type, at: now, payload });
      }
      return closed !== undefined;
    },

    async transcript(id): Promise<TranscriptView | null> {
      const [row] = await transaction
        .select(columns)
        .from(agentSession)
        .where(and(own, eq(agentSession.id, id)));
      if (!row) return null;
      // Before the messages: a run that ends between the two readings is then in both, not in neither.
      const active = await transaction
        .select({ id: run.id })
        .from(run)
        .where(and(eq(run.tenantId, scope.tenantId), eq(run.sessionId, id), inArray(run.state, OPEN_STATES)))
        .orderBy(run.id);
      const messages = await transaction
        .select()
        .from(message)
        .where(and(eq(message.tenantId, scope.tenantId), eq(message.sessionId, id)))
        .orderBy(message.id);
      const used = await transaction.execute(
        sql`select ${sql.raw(USAGE_COLUMNS)} from model_call where tenant_id = ${toUuid(scope.tenantId)} and run_id in (select run_id from message where tenant_id = ${toUuid(scope.tenantId)} and session_id = ${toUuid(id)}) group by run_id`,
      );
      const compactions = await transaction
        .select()
        .from(conversationSummary)
        .where(and(eq(conversationSummary.tenantId, scope.tenantId), eq(conversationSummary.sessionId, id)))
        .orderBy(conversationSummary.createdAt);
      const [answered] = await transaction.execute<{ context: unknown }>(sql`
        select c.context from model_call c
        where c.tenant_id = ${toUuid(scope.tenantId)} and c.scene = 'answer' and c.context is not null and c.path ~ '^[^/]+/m[0-9]+$'
          and c.run_id = any(array(select r.id from run r where r.tenant_id = ${toUuid(scope.tenantId)} and r.session_id = ${toUuid(id)}))
        order by c.started_at desc limit 1`);
      const usage = new Map(used.map((row) => [fromUuid('run', String(row.run_id)), toUsage(row)]));
      return {
        session: toSession(row),
        messages: messages.map((row) => toMessage(row, usage)),
        activeRunIds: active.map(({ id: runId }) => runId),
        compactions: compactions.map(toCompaction),
        context: answered ? contextView.parse(answered.context) : null,
      };
    },

    async pinMessage({ sessionId, messageId, isPinned }) {
      const rows = await transaction
        .update(message)
        .set({ pinnedAt: isPinned ? clock.now() : null })
        .where(
          and(
            eq(message.tenantId, scope.tenantId),
            eq(message.sessionId, sessionId),
            eq(message.id, messageId),
            inArray(message.sessionId, transaction.select({ id: agentSession.id }).from(agentSession).where(own)),
          ),
        )
        .returning({ id: message.id });
      return rows.length > 0;
    },
  };

  function inSessionsSaying(q: string) {
    return inArray(
      agentSession.id,
      transaction
        .select({ id: message.sessionId })
        .from(message)
        .where(and(eq(message.tenantId, scope.tenantId), ilike(message.text, likePattern(q)))),
    );
  }
}

function likePattern(q: string): string {
  return `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

type SessionRow = typeof agentSession.$inferSelect;

function toSession({ session, lastRun }: { session: SessionRow; lastRun: { id: string; state: string } | null }): SessionView {
  return {
    id: session.id,
    title: session.title,
    preset: session.preset,
    state: session.state as SessionView['state'],
    ownerId: session.userId,
    isPinned: session.isPinned,
    isArchived: session.archivedAt !== null,
    lastRun: lastRun && { id: fromUuid('run', lastRun.id), state: lastRun.state },
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
  };
}

function toMessage(row: typeof message.$inferSelect, usage: ReadonlyMap<string, UsageView | null>): TranscriptView['messages'][number] {
  return {
    id: row.id,
    parentId: row.parentId,
    role: row.role === 'user' ? 'user' : 'assistant',
    runId: row.runId,
    text: row.text,
    state: row.state as TranscriptView['messages'][number]['state'],
    createdAt: row.createdAt.toISOString(),
    isPinned: row.pinnedAt !== null,
    usage: row.role === 'user' ? null : (usage.get(row.runId) ?? null),
  };
}

function toCompaction(row: typeof conversationSummary.$inferSelect): CompactionView {
  const { runId, path, source, summary, progress, turns, stepCount, tokensBefore, tokensAfter } = row;
  return compactionView.parse({ runId, path, source, summary, progress, turns, stepCount, tokensBefore, tokensAfter });
}

/** Page key: pinned first, then newest, then id. */
function toCursor(session: SessionRow): string {
  return [session.isPinned ? 1 : 0, session.updatedAt.toISOString(), session.id].join('~');
}

function afterCursor(cursor: string): { isPinned: boolean; updatedAt: string; uuid: string } {
  const [pinned, updatedAt = '', id] = cursor.split('~');
  const session: Id<'session'> | null = parseId('session', id);
  if (!session || Number.isNaN(Date.parse(updatedAt))) {
    throw new AppError({ code: 'invalid_request', message: 'This cursor is not one of ours.', details: { path: 'cursor' } });
  }
  return { isPinned: pinned === '1', updatedAt, uuid: toUuid(session) };
}
