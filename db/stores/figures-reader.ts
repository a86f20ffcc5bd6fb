import type { ReservedSql, Row, Sql } from 'postgres';
import { fromUuid, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { figuresView } from '#lib/record/contract.ts';
import type { FiguresReader } from '#lib/record/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { uuidAt } from './run-conditions.ts';

/** What is counted at most, so that an answer comes while somebody waits for it. */
const MOST_RUNS = 50_000;
const MOST_OPEN = 10_000;
const MOST_ROWS = 50;

const counted = figuresView.omit({ period: true, from: true, to: true });

/** Figures from the tables, in one round trip; what is shown of them is decided by whoever asks. */
export function createFiguresReader(sql: Sql): FiguresReader {
  return {
    async read(scope, period) {
      const [runs, tools, models, stages] = await inOneRoundTrip(sql, scope, (tx) => {
        const of = runsOf(tx, scope, period);
        return [
          tx`
            select count(*)::int as total, (count(*) filter (where state = 'FINISH_OK'))::int as succeeded,
              (count(*) filter (where state in ('FINISH_ERROR', 'TIMEOUT')))::int as failed, (count(*) filter (where state = 'CANCELLED'))::int as stopped,
              percentile_disc(0.5) within group (order by duration_ms)::float8 as p50, percentile_disc(0.95) within group (order by duration_ms)::float8 as p95
            from ${of}`,
          toolStatement(tx, scope, of),
          tx`
            select provider, model, scene, sum(calls)::int as calls, sum(input)::float8 as input, sum(output)::float8 as output,
              (sum(busy_ms) / sum(calls))::float8 as mean, sum(unpriced)::int as unpriced,
              coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'micros', micros) order by currency) filter (where currency is not null), '[]') as costs
            from (
              select c.provider, c.model, c.scene, c.currency, count(*) as calls, sum(c.input_tokens + c.cached_input_tokens + c.cache_write_tokens) as input,
                sum(c.output_tokens + c.reasoning_tokens) as output, sum(c.duration_ms) as busy_ms, sum(c.cost_micros) as micros,
                count(*) filter (where c.cost_micros is null) as unpriced
              from ${of} join model_call c on c.tenant_id = r.tenant_id and c.run_id = r.id group by 1, 2, 3, 4
            ) by_currency
            group by 1, 2, 3 order by sum(micros) desc nulls last, sum(input) + sum(output) desc, 1, 2, 3 limit ${MOST_ROWS}`,
          stageStatement(tx, scope),
        ];
      });
      const { total = 0, succeeded, failed, stopped, p50, p95 } = runs[0] ?? {};
      return counted.parse({
        isCut: total >= MOST_RUNS,
        runs: { total, succeeded, failed, stopped, p50Ms: p50, p95Ms: p95 },
        tools: tools.map(({ capability_id, mean, p95: slow, ...row }) => ({
          ...row,
          capabilityId: capability_id,
          meanMs: mean,
          p95Ms: slow,
        })),
        models: models.map(({ provider, model, scene, calls, input, output, mean, costs, unpriced }) => ({
          provider,
          model,
          scene,
          calls,
          inputTokens: input,
          outputTokens: output,
          meanMs: mean,
          costs,
          unpriced,
        })),
        stages: stages.map(toStage),
      });
    },
  };
}

/** The newest runs of the period, as `r`. Ids are time-ordered: the index on them is read from its end. */
function runsOf(tx: ReservedSql, scope: TenantScope, { from, to }: { from: Date; to: Date }) {
  return tx`(
    select tenant_id, id, state, duration_ms from run
    where tenant_id = ${toUuid(scope.tenantId)} and id >= ${uuidAt(from.getTime())}::uuid and id < ${uuidAt(to.getTime() + 1)}::uuid
    order by id desc limit ${MOST_RUNS}
  ) r`;
}

/** Its time begins with the first attempt: before that it may have waited for people. */
function toolStatement(tx: ReservedSql, scope: TenantScope, of: ReturnType<typeof runsOf>) {
  return tx`
    select capability_id, count(*)::int as calls, (count(*) filter (where state = 'FAILED'))::int as failed,
      sum(greatest(attempt - 1, 0))::int as retries, avg(ms)::float8 as mean, percentile_disc(0.95) within group (order by ms)::float8 as p95
    from (
      select case when i.capability_version is not null then i.capability_id end as capability_id, i.state, i.attempt,
        case when i.attempt > 0 then extract(epoch from i.finished_at - (
          select min(t.at) from invocation_transition t
          where t.tenant_id = ${toUuid(scope.tenantId)} and t.invocation_id = i.id and t.to_state = 'EXECUTING'
        )) * 1000 end as ms
      from ${of} join invocation i on i.tenant_id = r.tenant_id and i.run_id = r.id
    ) calls
    group by 1 order by p95 desc nulls last, calls desc, 1 limit ${MOST_ROWS}`;
}

/** Where each open run stands, and when it was last heard of. */
function stageStatement(tx: ReservedSql, scope: TenantScope) {
  const tenant = toUuid(scope.tenantId);
  return tx`
    with open as (
      select r.id, r.state, r.path, r.created_at,
        (select e.at from run_event e where e.tenant_id = ${tenant} and e.run_id = r.id order by e.seq desc limit 1) as heard,
        (select i.state from invocation i where i.tenant_id = ${tenant} and i.run_id = r.id and i.state in ('EXECUTING', 'RETRY_WAIT') limit 1) as call,
        exists (select from approval a where a.tenant_id = ${tenant} and a.run_id = r.id and a.state = 'OPEN') as is_asked,
        exists (select from question q where q.tenant_id = ${tenant} and q.run_id = r.id and q.state = 'OPEN') as is_questioned
      from run r where r.tenant_id = ${tenant} and r.state in ('QUEUED', 'RUNNING', 'WAITING') order by r.id limit ${MOST_OPEN}
    ),
    staged as (
      select id, coalesce(heard, created_at) as since, case
        when state = 'QUEUED' then 'queue'
        when state = 'WAITING' then case when is_asked then 'approval' when is_questioned then 'question' else 'tasks' end
        when call = 'EXECUTING' then 'tool'
        when call = 'RETRY_WAIT' then 'retry'
        when path is null then 'begin'
        when path = 'llm' then 'model'
        else 'steps' end as stage
      from open
    )
    select stage, count(*)::int as runs, (array_agg(id order by since, id))[1] as run_id, min(since) as since
    from staged group by stage order by since, stage`;
}

function toStage({ stage, runs, run_id, since }: Row) {
  return { stage, runs, runId: fromUuid('run', String(run_id)), since: since.toISOString() };
}
