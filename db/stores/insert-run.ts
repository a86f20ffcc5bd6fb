import type { Row } from 'postgres';
import { toAuditRecord } from '#lib/audit/index.ts';
import { type Id, storableText, toUuid } from '#lib/kernel/index.ts';
import type { NewRun } from '#lib/supervisor/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { toAuditRow } from './boundary-statement.ts';
import type { Connection } from './run-lock.ts';
import { wordsOfMessage } from './run-words.ts';

/** Whose task a run is for. */
export interface TaskOrigin {
  readonly parentRunId: Id<'run'>;
  readonly parentInvocationId: Id<'invocation'>;
  /** Of the call, from 0. */
  readonly index: number;
  readonly rootRunId: Id<'run'>;
  readonly rootSessionId: Id<'session'>;
}

/** One that begins with this statement is where `RunJournal.begin` would have brought it. */
export function insertRun(
  tx: Connection,
  run: Omit<NewRun, 'actor' | 'mayBegin'> & {
    readonly actor: Pick<Actor, 'kind' | 'scope' | 'apiKeyId'>;
    readonly runId: Id<'run'>;
    readonly messageId: Id<'message'>;
    readonly hasBegun: boolean;
    /** Of a run for a task that another has handed on. */
    readonly task?: TaskOrigin;
  },
  session: Row,
  now: Date,
) {
  const { tenantId, userId } = run.actor.scope;
  const tenant = toUuid(tenantId);
  const task = run.task ?? null;
  const text = storableText(run.text);
  const prompted = { messageId: run.messageId, text };
  const event = JSON.stringify(prompted);
  const events = [
    { type: 'UserPromptSubmitted', payload: prompted },
    ...(run.hasBegun ? [{ type: 'run-state', payload: { from: 'QUEUED', to: 'RUNNING', reason: 'started' } }] : []),
  ];
  const title = titleOf(text);
  const words = JSON.stringify(wordsOfMessage(text));
  const audit = toAuditRow(
    toAuditRecord(
      {
        type: 'run.submitted',
        target: { kind: 'run', id: run.runId },
        runId: run.runId,
        details: { sessionId: run.sessionId, messageId: run.messageId, ...(run.task && { parentRunId: run.task.parentRunId }) },
      },
      { tenantId, actor: { kind: run.actor.kind, id: run.actor.apiKeyId ?? userId }, at: now },
    ),
  );
  return tx`
    with session as (
      update agent_session set updated_at = ${now}, event_seq = event_seq + 1, title = case when title = '' then ${title} else title end
      where tenant_id = ${tenant} and id = ${toUuid(run.sessionId)}
      returning event_seq
    ),
    session_event as (
      insert into session_event (tenant_id, session_id, seq, type, at, payload)
      select ${tenant}, ${toUuid(run.sessionId)}, event_seq, 'UserPromptSubmitted', ${now}, ${event}::text::jsonb from session
    ),
    prompt as (
      insert into message (tenant_id, id, session_id, run_id, parent_id, role, text, state, created_at)
      values (${tenant}, ${toUuid(run.messageId)}, ${toUuid(run.sessionId)}, ${toUuid(run.runId)},
        ${
          run.parentId === undefined
            ? tx`(select id from message where tenant_id = ${tenant} and session_id = ${toUuid(run.sessionId)} order by id desc limit 1)`
            : run.parentId && toUuid(run.parentId)
        }, 'user', ${text}, 'complete', ${now})
    ),
    new_run as (
      insert into run (tenant_id, id, session_id, user_id, api_key_id, message_id, preset, input, locale, time_zone, state, epoch, event_seq, time_limit_ms, idempotency_key, request_hash, created_at, started_at, parent_run_id, parent_invocation_id, task_index, root_run_id, root_session_id)
      select ${tenant}, ${toUuid(run.runId)}, ${toUuid(run.sessionId)}, ${toUuid(userId)}, ${run.actor.apiKeyId ? toUuid(run.actor.apiKeyId) : null}, ${toUuid(run.messageId)},
        ${String(session.preset)}, ${text}, ${run.locale},
        coalesce(${run.timeZone}, (select time_zone from app_user where id = ${toUuid(userId)}), (select time_zone from tenant where id = ${tenant}), 'UTC'),
        ${run.hasBegun ? 'RUNNING' : 'QUEUED'}, ${run.hasBegun ? 1 : 0}, ${events.length}, ${run.timeLimitMs}, ${run.idempotencyKey}, ${run.requestHash}, ${now}, ${run.hasBegun ? now : null},
        ${task && toUuid(task.parentRunId)}, ${task && toUuid(task.parentInvocationId)}, ${task && task.index}, ${task && toUuid(task.rootRunId)}, ${task && toUuid(task.rootSessionId)}
      returning *
    ),
    words as (
      insert into run_word (tenant_id, token, run_id)
      select ${tenant}::uuid, word, ${toUuid(run.runId)}::uuid from jsonb_array_elements_text(${words}::text::jsonb) as word
    ),
    event as (
      insert into run_event (tenant_id, run_id, seq, type, at, payload)
      select ${tenant}::uuid, ${toUuid(run.runId)}::uuid, e.ord, e.item->>'type', ${now}, e.item->'payload'
      from jsonb_array_elements(${JSON.stringify(events)}::text::jsonb) with ordinality as e(item, ord)
    ),
    audit as (
      insert into audit_event (tenant_id, id, at, type, actor_kind, actor_id, target_kind, target_id, run_id, payload, hash)
      values (${tenant}, ${audit.id}, ${audit.at}, ${audit.type}, ${audit.actorKind}, ${audit.actorId}, ${audit.targetKind}, ${audit.targetId}, ${toUuid(run.runId)}, ${audit.payload}, ${audit.hash})
    )
    select * from new_run`;
}

/** The first line, at most 60 characters: a title needs no model. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  const characters = [...line];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : line;
}
