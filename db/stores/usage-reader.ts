import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { UsageReader } from '#lib/record/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

const useRow = z.object({
  key: z.string().nullable(),
  is_total: z.coerce.number(),
  name: z.string().nullable(),
  calls: z.coerce.number(),
  input_tokens: z.coerce.number(),
  cached_input_tokens: z.coerce.number(),
  cache_write_tokens: z.coerce.number(),
  output_tokens: z.coerce.number(),
  reasoning_tokens: z.coerce.number(),
  estimated_calls: z.coerce.number(),
  unpriced_calls: z.coerce.number(),
  costs: z.array(z.object({ currency: z.string(), micros: z.number() })),
});

const toolRow = z.object({
  capability_id: z.string(),
  calls: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  refused: z.number(),
  retries: z.number(),
  average_ms: z.number().nullable(),
  longest_ms: z.number().nullable(),
});

const periodRow = z.object({ from_day: z.string(), to_day: z.string(), time_zone: z.string(), since: z.coerce.date() });

/** A delegated agent's calls stand below a tool call of the agent that delegated. */
const KEYS = {
  model: sql`m.provider || '/' || m.model`,
  scene: sql`case when m.scene = 'answer' and m.path ~ '/t[0-9]+/' then 'specialist' else m.scene end`,
  person: sql`coalesce(r.user_id, m.user_id)::text`,
  day: sql`to_char(m.started_at at time zone t.time_zone, 'YYYY-MM-DD')`,
} as const;

export function bindUsageReader({ transaction, scope, clock }: TenantBinding): UsageReader {
  const tenant = toUuid(scope.tenantId);

  async function periodOf(days: number) {
    const now = clock.now().toISOString();
    const rows = await transaction.execute(sql`
      select time_zone, to_char(first_day, 'YYYY-MM-DD') as from_day, to_char(last_day, 'YYYY-MM-DD') as to_day, first_day::timestamp at time zone time_zone as since
      from (
        select time_zone, (${now}::timestamptz at time zone time_zone)::date as last_day,
          (${now}::timestamptz at time zone time_zone)::date - ${days - 1}::int as first_day
        from tenant where id = ${tenant}
      ) as period`);
    return periodRow.parse(rows[0]);
  }

  return {
    async readModels({ by, days }) {
      const { from_day, to_day, time_zone, since } = await periodOf(days);
      // One more row than keys, for the total.
      const rows = await transaction.execute(sql`
        with counted as (
          select ${KEYS[by]} as key, m.*, p.name as person_name
          from (
            select run_id, path, provider, model, scene, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
              is_estimated, cost_micros, currency, started_at, null::uuid as user_id
            from model_call where tenant_id = ${tenant} and started_at >= ${since.toISOString()}::timestamptz
            union all
            select null, '', provider, model, 'embedding', input_tokens, 0, 0, 0, 0, is_estimated, cost_micros, currency, started_at, user_id
            from embedding_call where tenant_id = ${tenant} and started_at >= ${since.toISOString()}::timestamptz
          ) as m
          join tenant t on t.id = ${tenant}
          left join run r on r.tenant_id = ${tenant} and r.id = m.run_id
          left join app_user p on p.id = coalesce(r.user_id, m.user_id)
        ),
        costs as (
          select key, grouping(key) as is_total, currency, sum(cost_micros) as micros from counted
          where cost_micros is not null group by grouping sets ((key, currency), (currency))
        )
        select c.key, grouping(c.key) as is_total, ${by === 'person' ? sql`min(c.person_name)` : sql`null`} as name, count(*) as calls,
          coalesce(sum(c.input_tokens), 0) as input_tokens, coalesce(sum(c.cached_input_tokens), 0) as cached_input_tokens,
          coalesce(sum(c.cache_write_tokens), 0) as cache_write_tokens, coalesce(sum(c.output_tokens), 0) as output_tokens,
          coalesce(sum(c.reasoning_tokens), 0) as reasoning_tokens,
          count(*) filter (where c.is_estimated) as estimated_calls, count(*) filter (where c.cost_micros is null) as unpriced_calls,
          coalesce((
            select jsonb_agg(jsonb_build_object('currency', k.currency, 'micros', k.micros) order by k.micros desc)
            from costs k where k.key is not distinct from c.key
          ), '[]') as costs
        from counted c group by grouping sets ((c.key), ())
        order by is_total, ${by === 'day' ? sql`c.key` : sql`sum(c.input_tokens + c.cached_input_tokens + c.cache_write_tokens + c.output_tokens + c.reasoning_tokens) desc, c.key`}`);
      const uses = rows
        .map((row) => useRow.parse(row))
        .map(({ key, name, is_total, ...row }) => ({ key, name, isTotal: is_total === 1, use: toUse(row) }));
      // Passages are indexed for nobody in particular: that is in the total alone.
      const items = uses.flatMap(({ key, name, use }) =>
        key === null ? [] : [{ key: by === 'person' ? fromUuid('user', key) : key, name: by === 'person' ? name : null, ...use }],
      );
      const total = uses.find(({ isTotal }) => isTotal)?.use ?? NOTHING;
      return { by, from: from_day, to: to_day, timeZone: time_zone, items, total };
    },

    async readTools({ days }) {
      const { from_day, to_day, time_zone, since } = await periodOf(days);
      const rows = await transaction.execute(sql`
        select i.capability_id, count(*)::int as calls, (count(*) filter (where i.state = 'SUCCEEDED'))::int as succeeded,
          (count(*) filter (where i.state = 'FAILED' and i.attempt > 0))::int as failed,
          (count(*) filter (where i.state = 'FAILED' and i.attempt = 0))::int as refused,
          coalesce(sum(greatest(i.attempt - 1, 0)), 0)::int as retries,
          round(avg(extract(epoch from i.finished_at - began.at) * 1000))::int as average_ms,
          round(max(extract(epoch from i.finished_at - began.at) * 1000))::int as longest_ms
        from invocation i left join lateral (
          select min(v.at) as at from invocation_transition v
          where v.tenant_id = ${tenant} and v.invocation_id = i.id and v.to_state = 'EXECUTING'
        ) as began on true
        where i.tenant_id = ${tenant} and i.id >= ${firstIdAt(since)}::uuid
        group by i.capability_id order by calls desc, i.capability_id`);
      return { from: from_day, to: to_day, timeZone: time_zone, items: rows.map(toTool) };
    },
  };
}

/** Ids begin with the time at which they were made (UUIDv7), so that the key of a table is an index over time. */
function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function toUse(row: Omit<z.infer<typeof useRow>, 'key' | 'name' | 'is_total'>) {
  const classes = {
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    outputTokens: row.output_tokens,
    reasoningTokens: row.reasoning_tokens,
  };
  return {
    calls: row.calls,
    ...classes,
    totalTokens: Object.values(classes).reduce((sum, tokens) => sum + tokens, 0),
    estimatedCalls: row.estimated_calls,
    unpricedCalls: row.unpriced_calls,
    costs: row.costs,
  };
}

const NOTHING = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
  estimatedCalls: 0,
  unpricedCalls: 0,
  costs: [],
};

function toTool(row: Record<string, unknown>) {
  const { capability_id, average_ms, longest_ms, ...counts } = toolRow.parse(row);
  return { capabilityId: capability_id, ...counts, averageMs: average_ms, longestMs: longest_ms };
}
