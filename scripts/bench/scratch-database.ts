import postgres, { type Sql } from 'postgres';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/index.ts';

export interface ScratchDatabase {
  readonly port: number;
  /** The process that all of Postgres' processes belong to. */
  readonly postmaster: number;
  /** Makes an empty database on the server and returns the superuser's address of it. */
  create(name: string): Promise<string>;
  /** What was done in one database so far; `walBytes` is the whole server's. */
  readCounters(name: string): Promise<DatabaseCounters>;
  readStatements(name: string): Promise<StatementCount[]>;
  /** Transactions that wrote something, in any database, since `lsn` of an earlier `readPosition`. */
  countWritingCommits(lsn: string): Promise<number>;
  /** Rows written and log bytes by table, indexes with their tables, since `lsn` of an earlier `readPosition`. */
  readWrites(name: string, lsn: string): Promise<TableWrites[]>;
  readPosition(): Promise<string>;
  /** Writes all dirty pages out now, so that the next writes are not the first after a checkpoint by chance. */
  checkpoint(): Promise<void>;
  /** Runs one query as the superuser. */
  query(name: string, text: string, values?: readonly (string | readonly string[])[]): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export interface DatabaseCounters {
  /** Without begin and commit, which Postgres counts only when they are not prepared. */
  readonly statements: number;
  readonly walBytes: number;
}

export interface StatementCount {
  readonly text: string;
  readonly calls: number;
  readonly rows: number;
  readonly totalMs: number;
}

export interface TableWrites {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly indexEntries: number;
  /** Without the images of whole pages that follow a checkpoint. */
  readonly walBytes: number;
}

const TRANSACTION_CONTROL = '^\\s*(begin|start|commit|end|rollback)\\y';

/** As the product runs it (it waits for the disk), and with what counting needs. */
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  'pg_stat_statements.max': '5000',
  track_commit_timestamp: 'on',
  max_connections: '300',
};

/** A Postgres server of the bench's own under `directory`; it ends with this process. */
export async function startScratchDatabase(directory: string): Promise<ScratchDatabase> {
  const server = await startEmbeddedPostgres({ directory, database: 'bench', settings: SETTINGS });
  const connections = new Map<string, Sql>();
  const connect = (name: string): Sql => {
    const sql = connections.get(name) ?? postgres(addressOf(server, name), { max: 1, onnotice: () => undefined });
    connections.set(name, sql);
    return sql;
  };
  const admin = connect('bench');
  await admin.unsafe('create extension if not exists pg_stat_statements; create extension if not exists pg_walinspect');
  const [first] = await admin`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`;
  return {
    port: server.port,
    postmaster: Number(first?.pid),

    async create(name) {
      await connections.get(name)?.end();
      connections.delete(name);
      await admin`drop database if exists ${admin(name)} with (force)`;
      await admin`create database ${admin(name)}`;
      return addressOf(server, name);
    },

    async readCounters(name) {
      const [row] = await admin`
        select coalesce(sum(calls), 0)::float8 as statements,
          pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
        from pg_stat_statements
        where dbid = (select oid from pg_database where datname = ${name}) and query !~* ${TRANSACTION_CONTROL}`;
      return { statements: Number(row?.statements), walBytes: Number(row?.wal) };
    },

    async readStatements(name) {
      const rows = await admin`
        select queryid::text as id, min(regexp_replace(query, '\\s+', ' ', 'g')) as text, sum(calls)::float8 as calls, sum(rows)::float8 as rows, sum(total_exec_time)::float8 as ms
        from pg_stat_statements
        where dbid = (select oid from pg_database where datname = ${name}) and query !~* ${TRANSACTION_CONTROL}
        group by queryid`;
      return rows.map((row) => ({ text: String(row.text), calls: Number(row.calls), rows: Number(row.rows), totalMs: Number(row.ms) }));
    },

    async countWritingCommits(lsn) {
      const [row] = await admin`
        select count(*)::int as count from pg_get_wal_records_info(${lsn}::pg_lsn, pg_current_wal_flush_lsn())
        where resource_manager = 'Transaction' and record_type = 'COMMIT'`;
      return Number(row?.count);
    },

    async readWrites(name, lsn) {
      const sql = connect(name);
      const [until] = await admin`select pg_current_wal_flush_lsn()::text as lsn`;
      const blocks = await admin`
        select relfilenode::text as file, resource_manager as kind, record_type as type, block_id::int as block,
          count(*)::int as count, sum(record_length - coalesce(block_fpi_length, 0) - case when block_id > 0 then record_length else 0 end)::float8 as bytes
        from pg_get_wal_block_info(${lsn}::pg_lsn, ${String(until?.lsn)}::pg_lsn, false)
        where reldatabase = (select oid from pg_database where datname = ${name}) and relforknumber = 0
        group by 1, 2, 3, 4`;
      const files = await sql`
        select pg_relation_filenode(c.oid)::text as file, coalesce(i.indrelid, c.oid)::regclass::text as "table"
        from pg_class c left join pg_index i on i.indexrelid = c.oid where pg_relation_filenode(c.oid) is not null`;
      return sumByTable(blocks, new Map(files.map((row) => [String(row.file), String(row.table)])));
    },

    async readPosition() {
      const [row] = await admin`select pg_current_wal_insert_lsn()::text as lsn`;
      return String(row?.lsn);
    },

    async checkpoint() {
      await admin`checkpoint`;
    },

    async query(name, text, values = []) {
      return connect(name).unsafe(text, values as (string | string[])[]);
    },

    async stop() {
      await Promise.all([...connections.values()].map((sql) => sql.end({ timeout: 1 })));
      await server.stop();
    },
  };
}

function addressOf(server: EmbeddedPostgres, name: string): string {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

function sumByTable(blocks: readonly Record<string, unknown>[], tables: ReadonlyMap<string, string>): TableWrites[] {
  const sums = new Map<string, { inserted: number; updated: number; deleted: number; indexEntries: number; walBytes: number }>();
  for (const block of blocks) {
    const table = tables.get(String(block.file));
    if (table === undefined) continue;
    const sum = sums.get(table) ?? { inserted: 0, updated: 0, deleted: 0, indexEntries: 0, walBytes: 0 };
    sums.set(table, sum);
    sum.walBytes += Number(block.bytes);
    // A record may name several pages; its row is on the first.
    if (Number(block.block) > 0) continue;
    const [kind, type, count] = [String(block.kind), String(block.type), Number(block.count)];
    if (kind === 'Heap' && type.startsWith('INSERT')) sum.inserted += count;
    if (kind === 'Heap' && /^(HOT_)?UPDATE/.test(type)) sum.updated += count;
    if (kind === 'Heap' && type.startsWith('DELETE')) sum.deleted += count;
    if (kind === 'Btree' && type.startsWith('INSERT')) sum.indexEntries += count;
  }
  return [...sums].map(([table, sum]) => ({ table, ...sum })).sort((a, b) => b.walBytes - a.walBytes);
}
