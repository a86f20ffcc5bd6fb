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

/** The line before the places, over all processes: first whoever begins next. */
export interface SegmentLine {
  /** Segments at work. */
  readonly active: number;
  /** One a session; `sinceMs` is the wall clock's. */
  readonly waiting: readonly { readonly key: string; readonly tenantId: string; readonly sinceMs: number }[];
}

export interface SegmentQueue {
  readLine(): Promise<SegmentLine>;
  /** What was claimed under this token, if anything, is begun with the next claims. */
  doubt(token: string): void;
  /** Takes the heads of at most `budget` free sessions, in the order of the line. Null when there was nothing to take. */
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

/**
 * The segments that could begin now, one a session, each with its tenant's turn: how many of the tenant's come before it, at
 * work ones included. Whoever has least at work is next, so nobody's crowd keeps another tenant waiting (requirement H-25).
 * The engine's column for the person who asked holds the tenant; rows of versions that left it empty count as one tenant.
 */
const HEADS = `
  partitions as (
    (select min(queue_partition_key) as session from dbos.workflow_status
     where queue_name = $1 and status = 'ENQUEUED' and queue_partition_key is not null)
    union all
    (select (select min(queue_partition_key) from dbos.workflow_status
             where queue_name = $1 and status = 'ENQUEUED' and queue_partition_key > partitions.session)
     from partitions where partitions.session is not null)
  ),
  busy as (
    select coalesce(authenticated_user, '') as tenant, count(*) as segments
    from dbos.workflow_status where queue_name = $1 and status = 'PENDING' group by 1
  ),
  waiting as (
    select head.workflow_uuid, head.tenant, head.created_at,
      coalesce(busy.segments, 0) + row_number() over (partition by head.tenant order by head.created_at, head.workflow_uuid) as turn
    from partitions
      join lateral (
        select workflow_uuid, created_at, coalesce(authenticated_user, '') as tenant from dbos.workflow_status
        where queue_name = $1 and status = 'ENQUEUED' and queue_partition_key = partitions.session
          and (application_version = $2 or application_version is null)
        order by priority, created_at, workflow_uuid limit 1
      ) head on true
      left join busy on busy.tenant = head.tenant
    where partitions.session is not null and not exists (
      select from dbos.workflow_status
      where queue_name = $1 and status = 'PENDING' and queue_partition_key is not null and queue_partition_key = partitions.session
    )
  )`;

const CLAIM_HEADS = `
  with recursive ${HEADS},
  heads as (select workflow_uuid from waiting order by turn, created_at, workflow_uuid limit $5),
  -- What another process has locked is its: never a head behind it.
  locked as (
    select workflow_uuid from dbos.workflow_status
    where workflow_uuid in (select workflow_uuid from heads) and status = 'ENQUEUED' and queue_name = $1
    for update skip locked
  )
  update dbos.workflow_status w set
    status = 'PENDING',
    owner_xid = $3,
    executor_id = $4,
    application_version = $2,
    started_at_epoch_ms = (extract(epoch from now()) * 1000)::bigint,
    updated_at = (extract(epoch from now()) * 1000)::bigint,
    rate_limited = false,
    recovery_attempts = w.recovery_attempts + 1
  from locked left join dbos.workflow_input i on i.workflow_uuid = locked.workflow_uuid
  where w.workflow_uuid = locked.workflow_uuid and w.status = 'ENQUEUED'
  returning ${CLAIMED}`;

const READ_LINE = `
  with recursive ${HEADS}
  select (select coalesce(sum(segments), 0)::int from busy) as active, (
    select coalesce(json_agg(json_build_object('key', workflow_uuid, 'tenantId', tenant, 'sinceMs', created_at) order by turn, created_at, workflow_uuid), '[]')
    from waiting
  ) as waiting`;

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
        const rows = await sql.unsafe<ClaimedSegment[]>(CLAIM_HEADS, [queue, applicationVersion, token, executorId, budget], {
          prepare: true,
        });
        return rows.length === 0 ? null : { token, segments: rows };
      } catch (error) {
        doubtful.set(token, performance.now() + DOUBT_MS);
        throw error;
      }
    },

    async readLine() {
      const [line] = await sql.unsafe<SegmentLine[]>(READ_LINE, [queue, applicationVersion], { prepare: true });
      return line ?? { active: 0, waiting: [] };
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
