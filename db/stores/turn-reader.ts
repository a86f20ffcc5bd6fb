import type { PendingQuery, Row, Sql } from 'postgres';
import { z } from 'zod';
import type { RememberedConversation, RememberedTurn } from '#lib/context/index.ts';
import { AppError, fromUuid, type Id, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { readTogether } from '../pipelined.ts';

/** Windows that are kept warm; the one used longest ago leaves first. */
const KEPT = 10_000;
const WINDOW = 50;
/** Turns before those, of a session of which nothing has been summarised, that a first summary is made of. */
const OLDER = 450;
/** Summaries that are looked through for one that is of this branch. */
const SUMMARIES = 20;

const row = z.object({
  run_id: z.string(),
  turn_seq: z.number(),
  role: z.enum(['USER', 'ASSISTANT']),
  content: z.string(),
  newest: z.number().optional(),
});
const summaryRow = z.object({ summary: z.string(), through_run_id: z.string(), through_turn_seq: z.number() });

/**
 * The model's memory (requirement P-27): the last exchanges of `sessionId:agentId`, and what those before them came to. A
 * window is warmed from the database and kept while the session's turn count is the one it was read at, so another process's
 * turn is never missed. Exchanges that a person has pinned are there however old they are.
 */
export function createTurnReader(sql: Sql) {
  const windows = new Map<string, { readonly newest: number; readonly turns: readonly RememberedTurn[] }>();
  return async (request: {
    scope: TenantScope;
    sessionId: Id<'session'>;
    agentId: string;
    messageId?: Id<'message'>;
  }): Promise<RememberedConversation> => {
    const agentId = request.agentId.trim();
    if (agentId === '') throw new AppError({ code: 'invalid_request', message: 'agentId must not be blank' });
    // With its tenant: a warm window is behind the same wall as the rows it was read from.
    const key = `${request.scope.tenantId}:${request.sessionId}:${agentId}`;
    const tenant = toUuid(request.scope.tenantId);
    const session = toUuid(request.sessionId);
    const kept = windows.get(key);
    const [seqs, rows, ancestors, summaries, pinned] = await readTogether(sql, request.scope, (tx) => [
      tx`select turn_seq from agent_session where tenant_id = ${tenant} and id = ${session}`,
      tx`
        select m.run_id, m.turn_seq, m.role, m.content, s.turn_seq as newest
        from agent_session s join agent_conversation_message m on m.tenant_id = s.tenant_id and m.session_id = s.id and m.agent_id = ${agentId}
        where s.tenant_id = ${tenant} and s.id = ${session}
          and s.turn_seq <> ${kept?.newest ?? -1} and m.turn_seq > greatest(s.turn_seq - ${WINDOW}, ${kept?.newest ?? 0})
        order by m.turn_seq, m.role desc`,
      ancestorsOf(tx, { tenant, messageId: request.messageId, depth: 4 * WINDOW }),
      tx`
        select summary, through_run_id, through_turn_seq from conversation_summary
        where tenant_id = ${tenant} and session_id = ${session} and agent_id = ${agentId} and through_turn_seq is not null and summary is not null
        order by through_turn_seq desc, created_at desc limit ${SUMMARIES}`,
      tx`
        select m.run_id, m.turn_seq, m.role, m.content
        from message p join agent_conversation_message m on m.tenant_id = p.tenant_id and m.session_id = p.session_id and m.run_id = p.run_id and m.agent_id = ${agentId}
        where p.tenant_id = ${tenant} and p.session_id = ${session} and p.pinned_at is not null
        order by m.turn_seq, m.role desc`,
    ]);
    const read = rows.map((each) => row.parse(each));
    // What the turns were read at, where there are some: one may have been written between the two statements.
    const newest = read[0]?.newest ?? Number(seqs[0]?.turn_seq ?? 0);
    const window = [...(kept?.turns ?? []), ...toTurns(read)].slice(-WINDOW);
    windows.delete(key);
    windows.set(key, { newest, turns: window });
    if (windows.size > KEPT) windows.delete(windows.keys().next().value ?? key);
    // Only what stands above the message: another branch was never said here.
    const branch = new Set(ancestors.map((each) => String(each.run_id)));
    const isAbove = (runUuid: string) => !request.messageId || branch.has(runUuid);
    const covering = summaries.map((each) => summaryRow.parse(each)).find((each) => isAbove(each.through_run_id));
    const marked = toTurns(pinned.map((each) => row.parse(each))).map((turn) => ({ ...turn, isPinned: true }));
    const isMarked = new Set(marked.map(({ runId }) => runId));
    const oldestRead = window[0]?.seq ?? newest + 1;
    const covered = covering?.through_turn_seq ?? 0;
    // Rare: a session that went on without a model, or on a branch of its own, before anything of it was summarised.
    const older =
      oldestRead - 1 > covered ? await readOlder(sql, request, { tenant, session, agentId, from: covered, to: oldestRead }) : null;
    const isOlderAbove = (runUuid: string) => !request.messageId || (older?.branch.has(runUuid) ?? false);
    const recent = window.filter(({ runId, seq }) => !isMarked.has(runId) && seq > covered);
    return {
      summary: covering?.summary ?? null,
      turns: [
        ...(older?.turns ?? []).filter(({ runId }) => !isMarked.has(runId) && isOlderAbove(toUuid(runId))),
        ...[...marked, ...recent].filter(({ runId }) => isAbove(toUuid(runId)) || isOlderAbove(toUuid(runId))),
      ].sort((a, b) => a.seq - b.seq),
      turnCount: newest,
    };
  };
}

/** Turns between what a summary covers and what is kept warm, and which runs stand above the message as far back as that. */
async function readOlder(
  sql: Sql,
  request: { scope: TenantScope; messageId?: Id<'message'> },
  { tenant, session, agentId, from, to }: { tenant: string; session: string; agentId: string; from: number; to: number },
): Promise<{ turns: readonly RememberedTurn[]; branch: ReadonlySet<string> }> {
  const [rows, ancestors] = await readTogether(sql, request.scope, (tx) => [
    tx`
      select m.run_id, m.turn_seq, m.role, m.content from agent_conversation_message m
      where m.tenant_id = ${tenant} and m.session_id = ${session} and m.agent_id = ${agentId}
        and m.turn_seq > ${Math.max(from, to - OLDER)} and m.turn_seq < ${to}
      order by m.turn_seq, m.role desc`,
    ancestorsOf(tx, { tenant, messageId: request.messageId, depth: 4 * (WINDOW + OLDER) }),
  ]);
  return { turns: toTurns(rows.map((each) => row.parse(each))), branch: new Set(ancestors.map((each) => String(each.run_id))) };
}

/** The runs of a message and of those above it, as far as `depth` messages. */
function ancestorsOf(
  tx: Sql,
  { tenant, messageId, depth }: { tenant: string; messageId: Id<'message'> | undefined; depth: number },
): PendingQuery<Row[]> {
  return tx`
    with recursive chain as (
      select id, parent_id, run_id, 1 as depth from message where tenant_id = ${tenant} and id = ${messageId ? toUuid(messageId) : null}
      union all
      select above.id, above.parent_id, above.run_id, chain.depth + 1 from message above join chain on above.id = chain.parent_id
      where above.tenant_id = ${tenant} and chain.depth < ${depth}
    )
    select distinct run_id from chain`;
}

function toTurns(rows: readonly z.infer<typeof row>[]): RememberedTurn[] {
  const bySeq = Map.groupBy(rows, (each) => each.turn_seq);
  return [...bySeq].map(([seq, pair]) => ({
    runId: fromUuid('run', pair[0]?.run_id ?? ''),
    seq,
    user: pair.find((each) => each.role === 'USER')?.content ?? '',
    assistant: pair.find((each) => each.role === 'ASSISTANT')?.content ?? '',
    isPinned: false,
  }));
}
