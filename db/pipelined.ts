import type { PendingQuery, ReservedSql, Row, Sql } from 'postgres';
import { type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { asUnavailable, isDatabaseAway } from './stores/database-error.ts';

/**
 * Statements of one tenant as one transaction that costs one round trip: begin, the tenant's setting, the statements and
 * commit go out together. Rejects with the first error, after which the commit was a rollback; with `unavailable` when the
 * database is away, and then whether it was committed is not known.
 */
export async function inOneRoundTrip<const Results extends readonly Row[][]>(
  sql: Sql,
  scope: TenantScope,
  statements: (connection: ReservedSql) => { readonly [Index in keyof Results]: PendingQuery<Results[Index]> },
): Promise<Results> {
  const results = await pipelined(sql, (connection) => [
    enterTenant(connection, scope),
    ...(statements(connection) as readonly PendingQuery<Row[]>[]),
  ]);
  return results.slice(1) as unknown as Results;
}

/**
 * A transaction of one tenant that must look before it writes: begin, the tenant's setting and the statements `first` cost one
 * round trip together, then `work` goes on with their rows; it commits when `work` has. Rejects with what `work` threw, after
 * a rollback; with `unavailable` when the database is away, and then whether it was committed is not known.
 */
export async function afterFirstLook<const Rows extends readonly Row[][], Result>(
  sql: Sql,
  scope: TenantScope,
  first: (connection: ReservedSql) => { readonly [Index in keyof Rows]: PendingQuery<Rows[Index]> },
  work: (connection: ReservedSql, rows: Rows) => Promise<Result>,
): Promise<Result> {
  return onConnection(sql, async (connection) => {
    try {
      const opening: PendingQuery<Row[]>[] = [connection`begin`, enterTenant(connection, scope)];
      const rows = await settleAll<Row[][]>([...opening, ...(first(connection) as readonly PendingQuery<Row[]>[])]);
      const result = await work(connection, rows.slice(2) as unknown as Rows);
      await connection`commit`;
      return result;
    } catch (error) {
      if (!isDatabaseAway(error)) await connection`rollback`;
      throw error;
    }
  });
}

/** begin, the statements and commit leave together on one connection; gives the rows of each statement. */
export async function pipelined(sql: Sql, statements: (connection: ReservedSql) => readonly PendingQuery<Row[]>[]): Promise<Row[][]> {
  return onConnection(sql, async (connection) => {
    const pending: PendingQuery<Row[]>[] = [connection`begin`, ...statements(connection), connection`commit`];
    const settled = await settleAll<Row[][]>(pending);
    return settled.slice(1, -1);
  });
}

function enterTenant(connection: ReservedSql, scope: TenantScope): PendingQuery<Row[]> {
  return connection`select set_config('app.tenant_id', ${toUuid(scope.tenantId)}, true), set_config('app.user_id', ${scope.userId ? toUuid(scope.userId) : ''}, true)`;
}

async function onConnection<Result>(sql: Sql, work: (connection: ReservedSql) => Promise<Result>): Promise<Result> {
  const connection = await sql.reserve().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  let isLost = false;
  try {
    return await work(connection);
  } catch (error) {
    isLost = isDatabaseAway(error);
    throw asUnavailable(error);
  } finally {
    // The driver has taken a lost connection back already; released once more, it would be handed out as an open one.
    if (!isLost) connection.release();
  }
}

/**
 * The results once all have settled, or the first error: nobody uses the connection any more when it is given back. A lost
 * connection is told at once: statements that were still to be sent on it never settle.
 */
export async function settleAll<Results extends readonly unknown[]>(
  pending: {
    readonly [Index in keyof Results]: Promise<Results[Index]>;
  },
): Promise<Results> {
  const lost = new Promise<never>((_resolve, reject) => {
    for (const query of pending) query.catch((error: unknown) => isDatabaseAway(error) && reject(error));
  });
  const settled = await Promise.race([Promise.allSettled(pending), lost]);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as unknown as Results;
}
