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
    connection`select set_config('app.tenant_id', ${toUuid(scope.tenantId)}, true), set_config('app.user_id', ${scope.userId ? toUuid(scope.userId) : ''}, true)`,
    ...(statements(connection) as readonly PendingQuery<Row[]>[]),
  ]);
  return results.slice(1) as unknown as Results;
}

/** begin, the statements and commit leave together on one connection; gives the rows of each statement. */
export async function pipelined(sql: Sql, statements: (connection: ReservedSql) => readonly PendingQuery<Row[]>[]): Promise<Row[][]> {
  const connection = await sql.reserve().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  let isLost = false;
  try {
    const settled = await settleAll([connection`begin`, ...statements(connection), connection`commit`]);
    return settled.slice(1, -1);
  } catch (error) {
    isLost = isDatabaseAway(error);
    throw asUnavailable(error);
  } finally {
    // The driver has taken a lost connection back already; released once more, it would be handed out as an open one.
    if (!isLost) connection.release();
  }
}

/**
 * The results once all have settled, or the first error. A lost connection is told at once: statements that were still to be
 * sent on it never settle.
 */
async function settleAll(pending: readonly PendingQuery<Row[]>[]): Promise<Row[][]> {
  const lost = new Promise<never>((_resolve, reject) => {
    for (const query of pending) query.catch((error: unknown) => isDatabaseAway(error) && reject(error));
  });
  const settled = await Promise.race([Promise.allSettled(pending), lost]);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((result) => (result.status === 'fulfilled' ? result.value : []));
}
