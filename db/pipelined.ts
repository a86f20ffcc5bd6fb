import type { PendingQuery, ReservedSql, Row, Sql } from 'postgres';
import { isAppError, type TenantScope, toUuid } from '#lib/kernel/index.ts';
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

/** Reads that were asked for in one turn of the event loop, of one tenant and person; they leave together. */
interface Gathering {
  readonly reads: { statements: (connection: ReservedSql) => readonly PendingQuery<Row[]>[]; settle: PromiseWithResolvers<Row[][]> }[];
}

/** What is asked beyond them leaves on another connection, beside them. */
const GATHERED_READS = 16;

const gatherings = new WeakMap<Sql, Map<string, Gathering>>();

/**
 * As `inOneRoundTrip`, for reads alone: those that are asked for in the same turn of the event loop, of the same tenant and
 * person, share their transaction and its round trip. One that fails does not fail the others: they are read again by themselves.
 */
export async function readTogether<const Results extends readonly Row[][]>(
  sql: Sql,
  scope: TenantScope,
  statements: (connection: ReservedSql) => { readonly [Index in keyof Results]: PendingQuery<Results[Index]> },
): Promise<Results> {
  const ofPool = gatherings.get(sql) ?? new Map<string, Gathering>();
  gatherings.set(sql, ofPool);
  const key = `${scope.tenantId} ${scope.userId ?? ''}`;
  const settle = Promise.withResolvers<Row[][]>();
  const read = { statements: (connection: ReservedSql) => statements(connection) as readonly PendingQuery<Row[]>[], settle };
  const gathering = ofPool.get(key);
  if (gathering && gathering.reads.length < GATHERED_READS) gathering.reads.push(read);
  else {
    const begun: Gathering = { reads: [read] };
    ofPool.set(key, begun);
    setImmediate(() => {
      if (ofPool.get(key) === begun) ofPool.delete(key);
      void readGathered(sql, scope, begun);
    });
  }
  return (await settle.promise) as unknown as Results;
}

/** Never rejects: each read is told. */
async function readGathered(sql: Sql, scope: TenantScope, { reads }: Gathering): Promise<void> {
  const counts: number[] = [];
  try {
    const rows = await inOneRoundTrip<Row[][]>(sql, scope, (connection) =>
      reads.flatMap(({ statements }) => {
        const own = statements(connection);
        counts.push(own.length);
        return own;
      }),
    );
    let start = 0;
    for (const [index, { settle }] of reads.entries()) {
      const end = start + (counts[index] ?? 0);
      settle.resolve(rows.slice(start, end));
      start = end;
    }
  } catch (error) {
    if (reads.length > 1 && !(isAppError(error) && error.code === 'unavailable')) {
      await Promise.all(reads.map((read) => readGathered(sql, scope, { reads: [read] })));
    } else for (const { settle } of reads) settle.reject(error);
  }
}

/**
 * A transaction of one tenant that must look before it writes: begin, the tenant's setting and the statements `first` cost one
 * round trip together, then `work` goes on with their rows. The last statements that it gives leave with the commit, one round
 * trip more. Rejects with what `work` threw, after a rollback, or with the first error of the last statements; with `unavailable` when the database is away, and then whether it was committed is not known.
 */
export async function afterFirstLook<const Rows extends readonly Row[][], Result>(
  sql: Sql,
  scope: TenantScope,
  first: (connection: ReservedSql) => { readonly [Index in keyof Rows]: PendingQuery<Rows[Index]> },
  work: (
    connection: ReservedSql,
    rows: Rows,
  ) => Promise<readonly [last: readonly PendingQuery<Row[]>[], toResult: (rows: Row[][]) => Result]>,
): Promise<Result> {
  return onConnection(sql, async (connection) => {
    try {
      const opening: PendingQuery<Row[]>[] = [connection`begin`, enterTenant(connection, scope)];
      const rows = await settleAll<Row[][]>([...opening, ...(first(connection) as readonly PendingQuery<Row[]>[])]);
      const [last, toResult] = await work(connection, rows.slice(2) as unknown as Rows);
      // After the failure of one before it, the commit is a rollback.
      const written = await settleAll<Row[][]>([...last, connection`commit`]);
      return toResult(written);
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
