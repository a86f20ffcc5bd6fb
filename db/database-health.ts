import type { Sql } from 'postgres';

export interface DatabaseHealth {
  readonly version: string;
  readonly latencyMs: number;
  readonly sizeBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  readonly queue: { readonly queued: number; readonly claimed: number; readonly oldestQueuedAt: string | null };
  /** Processes that drive runs: each holds a lock on a connection of its own while it lives. */
  readonly processes: { readonly id: string; readonly address: string | null; readonly since: string }[];
}

/** What the database says of itself, of the engine's queue and of who is connected. Needs a connection as the owner. */
export async function readDatabaseHealth(sql: Sql): Promise<DatabaseHealth> {
  await sql`select 1`;
  const startedAt = performance.now();
  await sql`select 1`;
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  const [row] = await sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size_bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as max_connections,
      (select count(*)::int from dbos.workflow_status where status = 'ENQUEUED') as queued,
      (select count(*)::int from dbos.workflow_status where status = 'PENDING') as claimed,
      (select min(created_at)::float8 from dbos.workflow_status where status = 'ENQUEUED') as oldest_queued_ms`;
  const processes = await sql`
    select application_name as name, host(client_addr) as address, backend_start as since from pg_stat_activity
    where datname = current_database() and application_name like 'bailiwick lock %' order by backend_start`;
  const oldestMs = row?.oldest_queued_ms;
  return {
    version: String(row?.version),
    latencyMs,
    sizeBytes: Number(row?.size_bytes),
    connections: Number(row?.connections),
    maxConnections: Number(row?.max_connections),
    queue: {
      queued: Number(row?.queued),
      claimed: Number(row?.claimed),
      oldestQueuedAt: typeof oldestMs === 'number' ? new Date(oldestMs).toISOString() : null,
    },
    processes: processes.map(({ name, address, since }) => ({
      id: String(name).replace('bailiwick lock ', ''),
      address: address === null ? null : String(address),
      since: new Date(String(since)).toISOString(),
    })),
  };
}
