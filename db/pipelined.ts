import type { PendingQuery, ReservedSql, Row, Sql } from 'postgres';
import { type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { asUnavailable } from './stores/database-error.ts';

/**
 * Statements of one tenant as one transaction that costs one round trip: begin, the tenant's setting, the statements and
 * commit go out together. Rejects with the first error, after which the commit was a rollback.
 */
export async function inOneRoundTrip<const Results extends readonly Row[][]>(
  sql: Sql,
  scope: TenantScope,
  statements: (connection: ReservedSql) => { readonly [Index in keyof Results]: PendingQuery<Results[Index]> },
): Promise<Results> {
  const connection = await sql.reserve();
  try {
    const pending = [
      connection`begin`,
      connection`select set_config('app.tenant_id', ${toUuid(scope.tenantId)}, true), set_config('app.user_id', ${scope.userId ? toUuid(scope.userId) : ''}, true)`,
      ...(statements(connection) as readonly PendingQuery<Row[]>[]),
      connection`commit`,
    ];
    const settled = await Promise.allSettled(pending);
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed) throw asUnavailable(failed.reason);
    return settled.slice(2, -1).map((result) => (result.status === 'fulfilled' ? result.value : [])) as unknown as Results;
  } finally {
    connection.release();
  }
}
