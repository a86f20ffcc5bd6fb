import type { ReservedSql, Row, Sql } from 'postgres';
import { toUuid } from '#lib/kernel/index.ts';
import {
  callFigures,
  documentFigures,
  type FiguresQuery,
  memberFigures,
  runFigures,
  type TenantFigures,
  usageFigures,
} from '#lib/plugins/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';

/**
 * Figures over a tenant's records, counted where they are. Runs are those asked for in the period, without the one that
 * asks; with `ownOnly`, those of the scope's person.
 */
export function createTenantFiguresReader(sql: Sql): TenantFigures {
  return {
    async runs(query) {
      const [totals, states, people, presets, days] = await inOneRoundTrip(sql, query.scope, (tx) => {
        const of = runsOf(tx, query);
        return [
          tx`
            select count(*)::int as total, round(avg(${durationMs(tx)}) filter (where r.ended_at is not null))::int as average_ms,
              round(max(${durationMs(tx)}) filter (where r.ended_at is not null))::int as longest_ms from ${of}`,
          tx`select r.state, count(*)::int as total from ${of} group by r.state order by r.state`,
          tx`
            select r.user_id::text as key, min(u.name) as name, count(*)::int as total, ${failedCount(tx)} as failed
            from ${of} join app_user u on u.id = r.user_id group by r.user_id order by total desc, name`,
          tx`select r.preset as key, r.preset as name, count(*)::int as total, ${failedCount(tx)} as failed from ${of} group by r.preset order by total desc, key`,
          tx`
            select to_char(r.created_at at time zone ${query.timeZone}, 'YYYY-MM-DD') as key, count(*)::int as total, ${failedCount(tx)} as failed
            from ${of} group by 1 order by 1`,
        ];
      });
      return runFigures.parse({
        total: totals[0]?.total,
        averageMs: totals[0]?.average_ms,
        longestMs: totals[0]?.longest_ms,
        byState: Object.fromEntries(states.map(({ state, total }) => [state, total])),
        byPerson: people.map(toShare),
        byPreset: presets.map(toShare),
        byDay: days.map((day) => toShare({ ...day, name: day.key })),
      });
    },

    async calls(query) {
      const [capabilities, errors] = await inOneRoundTrip(sql, query.scope, (tx) => {
        const of = tx`${runsOf(tx, query)} join invocation i on i.tenant_id = r.tenant_id and i.run_id = r.id`;
        return [
          tx`
            select i.capability_id as key, count(*)::int as total, (count(*) filter (where i.state = 'FAILED'))::int as failed,
              round(avg(extract(epoch from i.finished_at - i.requested_at) * 1000) filter (where i.finished_at is not null))::int as average_ms
            from ${of} group by i.capability_id order by total desc, key`,
          tx`
            select coalesce(i.error_code, '') as code, count(*)::int as total from ${of}
            where i.state = 'FAILED' group by 1 order by total desc, code`,
        ];
      });
      const sum = (name: 'total' | 'failed') => capabilities.reduce((whole, row) => whole + Number(row[name]), 0);
      return callFigures.parse({
        total: sum('total'),
        failed: sum('failed'),
        byCapability: capabilities.map((row) => ({ ...toShare({ ...row, name: row.key }), averageMs: row.average_ms })),
        byError: errors.map(({ code, total }) => ({ code, total })),
      });
    },

    async members({ scope, from, to }) {
      const tenant = toUuid(scope.tenantId);
      const [roles] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select ro.key, min(ro.name) as name, count(*)::int as total, (count(*) filter (where ${within(tx, tx`m.created_at`, from, to)}))::int as joined
          from tenant_member m join role ro on ro.tenant_id = m.tenant_id and ro.id = m.role_id
          where m.tenant_id = ${tenant} and m.disabled_at is null group by ro.key order by total desc, key`,
      ]);
      const sum = (name: 'total' | 'joined') => roles.reduce((whole, row) => whole + Number(row[name]), 0);
      return memberFigures.parse({
        total: sum('total'),
        joined: sum('joined'),
        byRole: roles.map(({ key, name, total }) => ({ key, name, total })),
      });
    },

    async documents({ scope, from, to }) {
      const tenant = toUuid(scope.tenantId);
      const [languages, latest] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select language as key, count(*)::int as total, (count(*) filter (where ${within(tx, tx`created_at`, from, to)}))::int as added,
            (count(*) filter (where version > 1 and ${within(tx, tx`updated_at`, from, to)}))::int as changed
          from knowledge_document where tenant_id = ${tenant} group by language order by total desc, key`,
        tx`select title, created_at from knowledge_document where tenant_id = ${tenant} order by created_at desc, id desc limit 5`,
      ]);
      const sum = (name: 'total' | 'added' | 'changed') => languages.reduce((whole, row) => whole + Number(row[name]), 0);
      return documentFigures.parse({
        total: sum('total'),
        added: sum('added'),
        changed: sum('changed'),
        byLanguage: languages.map(({ key, total }) => ({ key, total })),
        latest: latest.map(({ title, created_at }) => ({ title, createdAt: created_at.toISOString() })),
      });
    },

    async usage(query) {
      const [models, costs] = await inOneRoundTrip(sql, query.scope, (tx) => {
        const of = tx`${runsOf(tx, query)} join model_call c on c.tenant_id = r.tenant_id and c.run_id = r.id`;
        return [
          tx`
            select c.model, count(*)::int as calls, sum(c.input_tokens + c.cached_input_tokens + c.cache_write_tokens)::float8 as input,
              sum(c.output_tokens + c.reasoning_tokens)::float8 as output, (count(*) filter (where c.cost_micros is null))::int as unpriced
            from ${of} group by c.model order by c.model`,
          tx`select c.currency, sum(c.cost_micros)::float8 as micros from ${of} where c.cost_micros is not null group by c.currency order by micros desc`,
        ];
      });
      const sum = (name: 'calls' | 'input' | 'output' | 'unpriced') => models.reduce((whole, row) => whole + Number(row[name]), 0);
      return usageFigures.parse({
        calls: sum('calls'),
        inputTokens: sum('input'),
        outputTokens: sum('output'),
        totalTokens: sum('input') + sum('output'),
        unpriced: sum('unpriced'),
        costs: costs.map(({ currency, micros }) => ({ currency: currency ?? '', micros })),
        byModel: models
          .map(({ model, calls, input, output }) => ({ model, calls, totalTokens: Number(input) + Number(output) }))
          .sort((a, b) => b.totalTokens - a.totalTokens),
      });
    },
  };
}

/** The runs that a query is about, as `r`. */
function runsOf(tx: ReservedSql, { scope, from, to, ownOnly, exceptRunId }: FiguresQuery) {
  return tx`(
    select * from run
    where tenant_id = ${toUuid(scope.tenantId)} and id <> ${toUuid(exceptRunId)} and ${within(tx, tx`created_at`, from, to)}
      ${ownOnly ? tx`and user_id = ${toUuid(scope.userId)}` : tx``}
  ) r`;
}

function within(tx: ReservedSql, column: ReturnType<ReservedSql>, from: Date | null, to: Date | null) {
  return tx`(${from}::timestamptz is null or ${column} >= ${from}) and (${to}::timestamptz is null or ${column} < ${to})`;
}

function durationMs(tx: ReservedSql) {
  return tx`extract(epoch from r.ended_at - coalesce(r.started_at, r.created_at)) * 1000`;
}

function failedCount(tx: ReservedSql) {
  return tx`(count(*) filter (where r.state in ('FINISH_ERROR', 'TIMEOUT')))::int`;
}

function toShare({ key, name, total, failed }: Row) {
  return { key: String(key), name: String(name), total, failed };
}
