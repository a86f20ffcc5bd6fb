import type { Sql } from 'postgres';

const WORDS =
  'scholarship canteen library exam dormitory health sports network card report budget convert weather meeting summary rule fee visa bus holiday';
const PAIRS = '奖学 学金 食堂 图书 书馆 考试 宿舍 校园 园卡 报告 预算 会议 摘要 规则 费用 假期';

/**
 * Fills a tenant with runs of the last 90 days as the product would have left them, through bulk statements: sessions,
 * messages, runs of 20 people with two calls, eight events and their words each, model calls for a third of them. `sql` is
 * the owner's. Returns the tenant's uuid and one of its people's.
 */
export async function seedRuns(sql: Sql, options: { slug: string; runs: number }): Promise<{ tenantId: string; userId: string }> {
  const { slug, runs } = options;
  return sql.begin(async (tx) => {
    const [made] = await tx`insert into tenant (id, slug, name) values (gen_random_uuid(), ${slug}, ${slug}) returning id`;
    const tenant = String(made?.id);
    await tx`select set_config('app.tenant_id', ${tenant}, true)`;
    await tx`
      create temp table seeded_person on commit drop as
      select n, gen_random_uuid() as id from generate_series(0, 19) as n`;
    await tx`insert into app_user (id, email, name) select id, ${slug} || n || '@seeded.test', 'Person ' || n from seeded_person`;
    // Ids hold their time, as those of the product do: version 7, so that the newest has the highest.
    await tx`
      create temp table seeded on commit drop as
      select n, uuid_at(at) as run_id, uuid_at(at) as message_id, gen_random_uuid() as first_call, gen_random_uuid() as second_call, at,
        (select id from seeded_person p where p.n = seeded.n % 20) as user_id,
        first_value(gen) over (partition by n / 20 order by n) as session_id,
        case when n % 50 = 0 then 'FINISH_ERROR' when n % 331 = 0 then 'TIMEOUT' when n % 97 = 0 then 'CANCELLED' else 'FINISH_OK' end as state,
        case when n % 3 = 0 then 'llm' else 'deterministic' end as path,
        (array['default', 'assistant', 'analyst'])[1 + (n % 7) / 3] as preset,
        (50 + (n * 7919) % 20000) as ms
      from (
        select n, gen_random_uuid() as gen, now() - interval '90 days' * ((${runs}::float8 - n) / ${runs}::float8) as at from generate_series(1, ${runs}::int) as n
      ) as seeded`;
    await tx`
      insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
      select ${tenant}::uuid, s.session_id, s.user_id, 'default', 'IDLE', 'Seeded', s.session_id::text
      from (select distinct on (session_id) session_id, user_id from seeded) as s`;
    await tx`
      insert into message (tenant_id, id, session_id, run_id, role, text, state, created_at)
      select ${tenant}::uuid, message_id, session_id, run_id, 'user', 'seeded', 'complete', at from seeded`;
    await tx`
      insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, path, plan, answer, event_seq, step_count, calls_succeeded, calls_failed, time_limit_ms, created_at, started_at, ended_at, cost_micros, cost_currency)
      select ${tenant}::uuid, run_id, session_id, user_id, message_id, preset,
        'Please look at the ' || ${WORDS}::text || ' of number ' || n, 'en', 'UTC', state, path,
        jsonb_build_object('intent', jsonb_build_object('kind', 'task', 'confidence', 1, 'rationale', 'seeded'), 'summary', 'seeded', 'candidates', '[]'::jsonb,
          'steps', jsonb_build_array(jsonb_build_object('capabilityId', 'echo', 'rationale', repeat('because it was asked for ', 8), 'arguments', '{}'::jsonb, 'clause', ''))),
        repeat('The answer that was given. ', 12), 8, 2, 2, 0, 300000, at, at + interval '20 ms', at + make_interval(secs => (20 + ms) / 1000.0),
        case when path = 'llm' then (n * 37) % 200000 end, case when path = 'llm' then 'USD' end
      from seeded`;
    await tx`
      insert into invocation (tenant_id, id, run_id, path, step, capability_id, capability_version, state, attempt, arguments, arguments_hash, idempotency_key, result, requested_at, finished_at)
      select ${tenant}::uuid, case when c = 0 then first_call else second_call end, run_id, 'deterministic_pipeline/' || c, c,
        case when n % 401 = 0 then 'weather.get' when c = 0 then 'echo' else 'time.now' end, '1', 'SUCCEEDED', 1,
        '{"text": "seeded"}', 'x', 'x', '{"output": {"text": "seeded"}, "text": "seeded"}', at, at + interval '30 ms'
      from seeded, generate_series(0, 1) as c`;
    await tx`
      insert into run_event (tenant_id, run_id, seq, type, at, payload)
      select ${tenant}::uuid, run_id, s, (array['UserPromptSubmitted', 'run-state', 'AgentPlanProposed', 'ToolInvocationRequested', 'ToolExecuted', 'ToolResultAccepted', 'ModelResponseProduced', 'STREAM_DONE'])[s], at, '{"text": "seeded"}'
      from seeded, generate_series(1, 8) as s`;
    await tx`
      insert into model_call (tenant_id, run_id, path, agent_id, provider, model, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated, cost_micros, currency, attempts, duration_ms, started_at)
      select ${tenant}::uuid, run_id, 'platform_supervisor/m0', 'platform_supervisor', 'seeded', 'seeded', '{}', 900, 0, 0, 100, 0, false, (n * 37) % 200000, 'USD', 1, 400, at
      from seeded where path = 'llm'`;
    await tx`
      insert into run_word (tenant_id, token, run_id)
      select ${tenant}::uuid, word, run_id from seeded, lateral (
        select 'number' as word union select n::text union select 'look'
        union select (string_to_array(${WORDS}, ' '))[1 + (n * 3 + k * 7) % 20] from generate_series(0, 3) as k
        union select (string_to_array(${PAIRS}, ' '))[1 + (n * 5 + k * 3) % 16] from generate_series(0, 2) as k
      ) as words`;
    const [person] = await tx`select id from seeded_person where n = 3`;
    return { tenantId: tenant, userId: String(person?.id) };
  });
}

/** Makes the function that the seeding needs; the database is one that may be spoiled. */
export async function prepareSeeding(sql: Sql): Promise<void> {
  await sql`
    create or replace function uuid_at(at timestamptz) returns uuid language sql volatile as $$
      select (left(m, 8) || '-' || substr(m, 9, 4) || '-7' || substr(r, 1, 3) || '-8' || substr(r, 4, 3) || '-' || substr(r, 7, 12))::uuid
      from (select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as m, md5(random()::text) as r) as parts
    $$`;
}
