import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import * as schema from './schema/index.ts';

/** The roles a connection may act as; `owner` is whoever DATABASE_URL names. */
export type DatabaseRole = 'owner' | 'bailiwick_app' | 'bailiwick_engine' | 'bailiwick_platform';

export type Orm = PostgresJsDatabase<typeof schema>;

/** Connections of one role. */
export interface Database {
  /** Raw statements: the hot path, LISTEN. */
  readonly sql: Sql;
  /** The same database through Drizzle, on connections of its own: Drizzle replaces the parsers of the client it is given. */
  readonly orm: Orm;
  close(): Promise<void>;
}

/** A pool of connections that act as `role` from their first statement. Nothing connects before it is used. */
export function openSql(options: { databaseUrl: string; role: DatabaseRole; max: number; name: string }): Sql {
  return postgres(options.databaseUrl, {
    max: options.max,
    idle_timeout: 60,
    connect_timeout: 10,
    backoff: untilNextAttemptSeconds,
    onnotice: () => undefined,
    connection: {
      application_name: `bailiwick ${options.name}`,
      timezone: 'UTC',
      // A process that is stopped in the middle of a transaction must not keep a run's row from the one that takes over.
      idle_in_transaction_session_timeout: 10_000,
      ...(options.role === 'owner' ? {} : { role: options.role }),
    },
  });
}

/** Doubles up to a second. The driver's own way counts the failures of a whole pool and then stays away for 20 seconds. */
function untilNextAttemptSeconds(failures: number): number {
  return Math.min(0.02 * 2 ** failures, 1) * (0.5 + Math.random() / 2);
}

export function openDatabase(options: { databaseUrl: string; role: DatabaseRole; max: number; name: string }): Database {
  const sql = openSql(options);
  // Settings, lists and sign-ins: what runs do goes over the raw connections.
  const ormSql = openSql({ ...options, max: Math.ceil(options.max / 2), name: `${options.name} orm` });
  return {
    sql,
    orm: drizzle(ormSql, { schema, casing: 'snake_case' }),
    close: async () => {
      await Promise.all([sql.end({ timeout: 5 }), ormSql.end({ timeout: 5 })]);
    },
  };
}
