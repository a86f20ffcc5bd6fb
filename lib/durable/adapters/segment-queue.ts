import { randomUUID } from 'node:crypto';
import postgres from 'postgres';

/** A claimed segment as the engine's tables have it. */
export interface ClaimedSegment {
  readonly key: string;
  readonly workflow: string;
  readonly sessionId: string;
  readonly input: string | null;
  readonly serialization: string | null;
  readonly priority: number;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
}

/** Segments that are this process's under the token that the claim wrote. */
export interface ClaimedSegments {
  readonly segments: readonly ClaimedSegment[];
  readonly token: string;
}

/** A segment that has just been driven here, and is the engine's to note as ended. */
export interface DrivenSegment {
  readonly key: string;
  readonly sessionId: string;
}

export interface SegmentQueue {
  /** What was claimed under this token, if anything, is begun with the next claims. */
  doubt(token: string): void;
  /** Takes the heads of at most `budget` free sessions, those that wait longest first. Null when there was nothing to take. */
  claim(budget: number): Promise<ClaimedSegments | null>;
  /** Of these, those whose session has more to do; `isNoted` says whether the engine has noted the end, so that it may begin. */
  findFollowed(driven: readonly DrivenSegment[]): Promise<{ readonly key: string; readonly isNoted: boolean }[]>;
  close(): Promise<void>;
}

interface Options {
  readonly databaseUrl: string;
  readonly executorId: string;
  readonly queue: string;
  readonly applicationVersion: string;
}

const CLAIMED = `
  w.workflow_uuid as key, w.name as workflow, w.queue_partition_key as "sessionId", coalesce(i.inputs, w.inputs) as input, w.serialization,
  w.priority, w.recovery_attempts::int as attempts`;
const CLAIM_HEADS = `
  with recursive partitions as (
    (select min(queue_partition_key) as session from dbos.workflow_status
     where queue_name = $4 and status = 'ENQUEUED' and queue_partition_key is not null)
    union all
    (select (select min(queue_partition_key) from dbos.workflow_status
             where queue_name = $4 and status = 'ENQUEUED' and queue_partition_key > partitions.session)
     from partitions where partitions.session is not null)
  ),
  heads as (
    select head.workflow_uuid
    from partitions
      join lateral (
        select workflow_uuid, created_at from dbos.workflow_status
        where queue_name = $4 and status = 'ENQUEUED' and queue_partition_key = partitions.session
          and (application_version = $3 or application_version is null)
        order by priority, created_at, workflow_uuid limit 1
      ) head on true
    where partitions.session is not null and not exists (
      select from dbos.workflow_status
      where queue_name = $4 and status = 'PENDING' and queue_partition_key is not null and queue_partition_key = partitions.session
    )
    order by head.created_at limit $5
  ),
  -- What another process has locked is its: never a head behind it.
  locked as (
    select workflow_uuid from dbos.workflow_status
    where workflow_uuid in (select workflow_uuid from heads) and status = 'ENQUEUED' and queue_name = $4
    for update skip locked
  )
  update dbos.workflow_status w set
    status = 'PENDING',
    owner_xid = $1,
    executor_id = $2,
    application_version = $3,
    started_at_epoch_ms = (extract(epoch from now()) * 1000)::bigint,
    updated_at = (extract(epoch from now()) * 1000)::bigint,
    rate_limited = false,
    recovery_attempts = w.recovery_attempts + 1
  from locked left join dbos.workflow_input i on i.workflow_uuid = locked.workflow_uuid
  where w.workflow_uuid = locked.workflow_uuid and w.status = 'ENQUEUED'
  returning ${CLAIMED}`;

/** The lock of a claim whose commit was not heard of is looked for this long. */
const DOUBT_MS = 60_000;

/**
 * The engine's queue, claimed in one statement. The engine's own claim (`findAndMarkStartablePartitionedWorkflows`, which its
 * background poll still uses) takes the same heads by the same rules in seven round trips, each before the run may begin: see
 * `docs/decisions/0010-one-statement-claims.md`.
 */
export function createSegmentQueue({ databaseUrl, executorId, queue, applicationVersion }: Options): SegmentQueue {
  const sql = postgres(databaseUrl, {
    max: 2,
    idle_timeout: 60,
    backoff: () => 0.5,
    onnotice: () => undefined,
    connection: {
      application_name: `bailiwick queue ${executorId}`,
      role: 'bailiwick_engine',
      idle_in_transaction_session_timeout: 10_000,
    },
  });
  /** Tokens of claims that may have been committed though the answer was lost, and until when they are looked for. */
  const doubtful = new Map<string, number>();

  /** What such a claim took is this process's, and nobody would begin it. */
  async function findLost(): Promise<ClaimedSegments | null> {
    const rows = await sql<(ClaimedSegment & { token: string })[]>`
      select ${claimed()}, w.owner_xid as token
      from dbos.workflow_status w left join dbos.workflow_input i on i.workflow_uuid = w.workflow_uuid
      where w.status = 'PENDING' and w.executor_id = ${executorId} and w.owner_xid = any(${[...doubtful.keys()]}::text[])`;
    const token = rows[0]?.token;
    for (const [doubted, until] of doubtful) if (doubted === token || until < performance.now()) doubtful.delete(doubted);
    return token === undefined ? null : { token, segments: rows.filter((row) => row.token === token) };
  }

  const claimed = () => sql.unsafe(CLAIMED);

  return {
    doubt: (token) => void doubtful.set(token, performance.now() + DOUBT_MS),

    async claim(budget) {
      if (budget <= 0) return null;
      const lost = doubtful.size > 0 ? await findLost() : null;
      if (lost) return lost;
      const token = randomUUID();
      try {
        const rows = await sql.unsafe<ClaimedSegment[]>(CLAIM_HEADS, [token, executorId, applicationVersion, queue, budget], {
          prepare: true,
        });
        return rows.length === 0 ? null : { token, segments: rows };
      } catch (error) {
        doubtful.set(token, performance.now() + DOUBT_MS);
        throw error;
      }
    },

    async findFollowed(driven) {
      const rows = await sql<{ key: string; is_noted: boolean }[]>`
        select d.key, not exists (select from dbos.workflow_status w where w.workflow_uuid = d.key and w.status = 'PENDING') as is_noted
        from unnest(${driven.map(({ key }) => key)}::text[], ${driven.map(({ sessionId }) => sessionId)}::text[]) as d(key, session_id)
        where exists (
          select from dbos.workflow_status w where w.queue_name = ${queue} and w.status = 'ENQUEUED' and w.queue_partition_key = d.session_id
        )`;
      return rows.map((row) => ({ key: row.key, isNoted: row.is_noted }));
    },

    close: () => sql.end({ timeout: 2 }),
  };
}
