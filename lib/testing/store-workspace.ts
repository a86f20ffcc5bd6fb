import type { Sql } from 'postgres';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { RecordedWorkspace } from './recorded-workspace.ts';

/** Puts a recorded workspace into a database as a new tenant; `owner` goes past row-level security. People by name. */
export async function storeWorkspace(
  owner: Sql,
  workspace: RecordedWorkspace,
): Promise<{ tenantId: Id<'tenant'>; people: ReadonlyMap<string, Id<'user'>> }> {
  const tenantId = newId('tenant');
  const tenant = toUuid(tenantId);
  await owner`insert into tenant (id, slug, name) values (${tenant}, ${tenantId.slice(-20)}, 'T')`;
  const roles = new Map<string, string>();
  for (const { role } of workspace.people) {
    if (roles.has(role)) continue;
    const id = toUuid(newId('role'));
    roles.set(role, id);
    await owner`insert into role (tenant_id, id, key, name, permissions) values (${tenant}, ${id}, ${role}, ${role}, '{}')`;
  }
  const people = new Map<string, Id<'user'>>();
  const sessions = new Map<string, string>();
  for (const { name, role, joinedAt } of workspace.people) {
    const [userId, session] = [newId('user'), toUuid(newId('session'))];
    people.set(name, userId);
    sessions.set(name, session);
    await owner`insert into app_user (id, email, name) values (${toUuid(userId)}, ${`${userId}@example.com`}, ${name})`;
    await owner`insert into tenant_member (tenant_id, user_id, role_id, created_at) values (${tenant}, ${toUuid(userId)}, ${roles.get(role) ?? ''}, ${joinedAt})`;
    await owner`
      insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
      values (${tenant}, ${session}, ${toUuid(userId)}, 'default', 'IDLE', '', ${session})`;
  }
  for (const { title, language, createdAt, updatedAt } of workspace.documents)
    await owner`
      insert into knowledge_document (tenant_id, id, title, language, body, version, created_at, updated_at)
      values (${tenant}, ${toUuid(newId('document'))}, ${title}, ${language}, 'text', ${updatedAt > createdAt ? 2 : 1}, ${createdAt}, ${updatedAt})`;
  for (const run of workspace.runs) {
    const id = toUuid(newId('run'));
    const user = toUuid(people.get(run.person) ?? newId('user'));
    const endedAt = run.durationMs === null ? null : new Date(run.at.getTime() + run.durationMs);
    await owner`
      insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms, created_at, started_at, ended_at)
      values (${tenant}, ${id}, ${sessions.get(run.person) ?? ''}, ${user}, ${toUuid(newId('message'))}, ${run.preset}, 'x', 'en', 'UTC', ${run.state}, 60000, ${run.at}, ${run.at}, ${endedAt})`;
    for (const [index, call] of run.calls.entries())
      await owner`
        insert into invocation (tenant_id, id, run_id, path, step, capability_id, state, arguments, arguments_hash, idempotency_key, error_code, requested_at, finished_at)
        values (${tenant}, ${toUuid(newId('invocation'))}, ${id}, ${`p/${index}`}, ${index}, ${call.capabilityId}, ${call.error === null ? 'SUCCEEDED' : 'FAILED'}, '{}'::jsonb, '', '', ${call.error}, ${run.at}, ${new Date(run.at.getTime() + call.durationMs)})`;
    for (const [index, call] of run.models.entries())
      await owner`
        insert into model_call (tenant_id, run_id, path, agent_id, provider, model, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated, cost_micros, currency, attempts, duration_ms)
        values (${tenant}, ${id}, ${`m${index}`}, 'a', 'p', ${call.model}, '{}'::jsonb, ${call.inputTokens}, 0, 0, ${call.outputTokens}, 0, false, ${call.costMicros}, ${call.currency}, 1, 10)`;
  }
  return { tenantId, people };
}
