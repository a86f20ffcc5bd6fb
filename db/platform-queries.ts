import type { Sql } from 'postgres';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { QuietOperationReader } from '#lib/plugins/index.ts';
import type { DueApprovalReader, LeftTaskReader, OpenRunReader } from '#lib/supervisor/index.ts';
import { toEngineTransaction } from './engine-transaction.ts';
import { shownText, waitsForTasks } from './stores/run-journal.ts';
import { toRun, toShownText } from './stores/run-rows.ts';

/**
 * Every query that sees more than one tenant, as role `bailiwick_platform`: reconciling, retention, counts for metrics.
 * Requests never come here.
 */
export function createPlatformQueries(sql: Sql): OpenRunReader &
  DueApprovalReader &
  LeftTaskReader &
  QuietOperationReader & {
    /** Deletes text deltas of runs that ended more than `retentionMs` ago; returns how many. */
    pruneDeltas(retentionMs: number): Promise<number>;
    countOpenRuns(): Promise<{ state: string; count: number }[]>;
  } {
  return {
    async listQuiet(quietMs, limit) {
      const rows = await sql`
        select r.* from run r
        where r.state in ('QUEUED', 'RUNNING')
          -- One that stands behind a run that waits is where it should be.
          and not (r.state = 'QUEUED' and exists (select from run earlier where ${waitsForTasks(sql, 'r')}))
          and (select max(at) from run_event e where e.tenant_id = r.tenant_id and e.run_id = r.id) < now() - make_interval(secs => ${quietMs / 1000})
        order by r.id limit ${limit}`;
      return Promise.all(
        rows.map(toRun).map(async (run) => ({ run, shownText: toShownText(await shownText(sql, toUuid(run.tenantId), toUuid(run.id))) })),
      );
    },

    async requeue(run, enqueue) {
      return sql.begin(async (tx) => {
        const moved = await tx`
          update run set segment = segment + 1
          where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(run.id)} and segment = ${run.segment} and epoch = ${run.epoch} and state in ('QUEUED', 'RUNNING')
          returning segment`;
        const segment = moved[0]?.segment;
        if (segment !== undefined) await enqueue(toEngineTransaction(tx), { runId: run.id, segment: Number(segment) });
        return segment !== undefined;
      });
    },

    async listWaitingForNothing(limit) {
      const rows = await sql`
        select r.* from run r
        where r.state = 'WAITING'
          and exists (select from run t where t.tenant_id = r.tenant_id and t.parent_run_id = r.id)
          and not exists (select from run t where t.tenant_id = r.tenant_id and t.parent_run_id = r.id and t.state in ('QUEUED', 'RUNNING', 'WAITING'))
          and not exists (select from approval a where a.tenant_id = r.tenant_id and a.run_id = r.id and a.state = 'OPEN')
          and not exists (select from question q where q.tenant_id = r.tenant_id and q.run_id = r.id and q.state = 'OPEN')
        order by r.id limit ${limit}`;
      return rows.map(toRun);
    },

    async listEndedWithTasks(limit) {
      const rows = await sql`
        select distinct on (p.id) p.* from run t join run p on p.tenant_id = t.tenant_id and p.id = t.parent_run_id
        where t.state in ('QUEUED', 'RUNNING', 'WAITING') and t.cancel_requested_at is null
          and (p.ended_at is not null or p.cancel_requested_at is not null)
        order by p.id limit ${limit}`;
      return rows.map(toRun);
    },

    async listDueApprovals(limit) {
      const rows = await sql`
        select distinct a.tenant_id, a.run_id, r.session_id from approval a join run r on r.tenant_id = a.tenant_id and r.id = a.run_id
        where a.state = 'OPEN' and a.expires_at <= clock_timestamp() limit ${limit}`;
      return rows.map((row) => ({
        tenantId: fromUuid('tenant', String(row.tenant_id)),
        sessionId: fromUuid('session', String(row.session_id)),
        runId: fromUuid('run', String(row.run_id)),
      }));
    },

    async listQuietOperations(quietMs, limit) {
      const rows = await sql`
        select tenant_id, id, requested_by, api_key_id from plugin_operation
        where state = 'RUNNING' and claimed_at < now() - make_interval(secs => ${quietMs / 1000})
        order by claimed_at limit ${limit}`;
      return rows.map((row) => ({
        scope: {
          tenantId: fromUuid('tenant', String(row.tenant_id)),
          userId: fromUuid('user', String(row.requested_by)),
          ...(row.api_key_id && { apiKeyId: fromUuid('apiKey', String(row.api_key_id)) }),
        },
        id: fromUuid('pluginOperation', String(row.id)),
      }));
    },

    async pruneDeltas(retentionMs) {
      const rows = await sql`
        delete from run_event e using run r
        where r.tenant_id = e.tenant_id and r.id = e.run_id and e.type = 'text-delta'
          and r.ended_at < now() - make_interval(secs => ${retentionMs / 1000}) and r.ended_at > now() - make_interval(secs => ${retentionMs / 1000}) - interval '7 days'`;
      return rows.count;
    },

    async countOpenRuns() {
      const rows = await sql<{ state: string; count: number }[]>`
        select state, count(*)::int as count from run where state in ('QUEUED', 'RUNNING', 'WAITING') group by state`;
      return [...rows];
    },
  };
}
