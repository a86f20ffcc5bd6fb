import type { Sql } from 'postgres';
import { z } from 'zod';
import { AppError, type Id, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { readTogether } from '../pipelined.ts';

interface Turn {
  readonly runId: string;
  readonly user: string;
  readonly assistant: string;
}

/** Windows that are kept warm; the one used longest ago leaves first. */
const KEPT = 10_000;
const WINDOW = 50;

const row = z.object({
  run_id: z.string(),
  turn_seq: z.number(),
  role: z.enum(['USER', 'ASSISTANT']),
  content: z.string(),
  newest: z.number(),
});

/**
 * The model's memory (requirement P-27): the last exchanges of `sessionId:agentId`. A window is warmed from the database and
 * kept while the session's turn count is the one it was read at, so another process's turn is never missed.
 */
export function createTurnReader(sql: Sql) {
  const windows = new Map<string, { readonly newest: number; readonly turns: readonly Turn[] }>();
  return async (request: {
    scope: TenantScope;
    sessionId: Id<'session'>;
    agentId: string;
    messageId?: Id<'message'>;
  }): Promise<readonly Turn[]> => {
    const agentId = request.agentId.trim();
    if (agentId === '') throw new AppError({ code: 'invalid_request', message: 'agentId must not be blank' });
    // With its tenant: a warm window is behind the same wall as the rows it was read from.
    const key = `${request.scope.tenantId}:${request.sessionId}:${agentId}`;
    const tenant = toUuid(request.scope.tenantId);
    const session = toUuid(request.sessionId);
    const kept = windows.get(key);
    const [seqs, rows, ancestors] = await readTogether(sql, request.scope, (tx) => [
      tx`select turn_seq from agent_session where tenant_id = ${tenant} and id = ${session}`,
      tx`
        select m.run_id, m.turn_seq, m.role, m.content, s.turn_seq as newest
        from agent_session s join agent_conversation_message m on m.tenant_id = s.tenant_id and m.session_id = s.id and m.agent_id = ${agentId}
        where s.tenant_id = ${tenant} and s.id = ${session}
          and s.turn_seq <> ${kept?.newest ?? -1} and m.turn_seq > greatest(s.turn_seq - ${WINDOW}, ${kept?.newest ?? 0})
        order by m.turn_seq, m.role desc`,
      tx`
        with recursive chain as (
          select id, parent_id, run_id, 1 as depth from message where tenant_id = ${tenant} and id = ${request.messageId ? toUuid(request.messageId) : null}
          union all
          select above.id, above.parent_id, above.run_id, chain.depth + 1 from message above join chain on above.id = chain.parent_id
          where above.tenant_id = ${tenant} and chain.depth < ${4 * WINDOW}
        )
        select distinct run_id from chain`,
    ]);
    const read = rows.map((each) => row.parse(each));
    // What the turns were read at, where there are some: one may have been written between the two statements.
    const newest = read[0]?.newest ?? Number(seqs[0]?.turn_seq ?? 0);
    const turns = [...(kept?.turns ?? []), ...toTurns(read)].slice(-WINDOW);
    windows.delete(key);
    windows.set(key, { newest, turns });
    if (windows.size > KEPT) windows.delete(windows.keys().next().value ?? key);
    // Only what stands above the message: another branch was never said here.
    const branch = new Set(ancestors.map((each) => String(each.run_id)));
    return request.messageId ? turns.filter((turn) => branch.has(turn.runId)) : turns;
  };
}

function toTurns(rows: readonly z.infer<typeof row>[]): Turn[] {
  const bySeq = Map.groupBy(rows, (each) => each.turn_seq);
  return [...bySeq.values()].map((pair) => ({
    runId: pair[0]?.run_id ?? '',
    user: pair.find((each) => each.role === 'USER')?.content ?? '',
    assistant: pair.find((each) => each.role === 'ASSISTANT')?.content ?? '',
  }));
}
