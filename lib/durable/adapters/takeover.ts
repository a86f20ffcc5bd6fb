import postgres from 'postgres';

/** First half of the advisory lock's key; any number will do, all processes share it. */
const LOCK_SPACE = 0x0d805;

export interface Takeover {
  stop(): Promise<void>;
}

interface Options {
  readonly databaseUrl: string;
  readonly executorId: string;
  readonly applicationVersion: string;
  readonly tickMs: number;
  readonly recover: (deadExecutorId: string) => Promise<void>;
  /** Called at the start and whenever the number of living processes has changed. */
  readonly onLiveCount: (live: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Liveness without heartbeats or clocks: each process holds a session lock named by its executor id, which Postgres frees
 * when the process dies. Peers re-enqueue the claimed segments of a process whose lock was free on two ticks in a row. A
 * wrong guess is safe: the engine fences the old execution, and the run's epoch refuses its writes.
 */
export async function startTakeover(options: Options): Promise<Takeover> {
  const sql = postgres(options.databaseUrl, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    // The driver would stay away for 20 seconds after some failures: longer than a process may seem dead.
    backoff: () => Math.min(0.5, options.tickMs / 2_000),
    onnotice: () => undefined,
    connection: { application_name: `bailiwick lock ${options.executorId}`, role: 'bailiwick_engine' },
  });
  /** When each was first seen without its lock. */
  const suspects = new Map<string, number>();
  let trustUntilMs = 0;
  let lockedBackend = 0;
  let live = 0;

  /** The lock belongs to the connection: after a reconnect it is taken again. */
  async function holdOwnLock(): Promise<void> {
    const [row] = await sql<{ backend: number }[]>`select pg_backend_pid() as backend`;
    if (row?.backend === lockedBackend) return;
    suspects.clear();
    // Who has lost its connection was likely not alone: the others are given time to take theirs again.
    if (lockedBackend !== 0) trustUntilMs = performance.now() + 2 * options.tickMs;
    await sql`select pg_advisory_lock(${LOCK_SPACE}, hashtext(${options.executorId}))`;
    lockedBackend = row?.backend ?? 0;
  }

  async function isFree(executorId: string): Promise<boolean> {
    const [row] = await sql<{ free: boolean }[]>`select pg_try_advisory_lock(${LOCK_SPACE}, hashtext(${executorId})) as free`;
    if (row?.free) await sql`select pg_advisory_unlock(${LOCK_SPACE}, hashtext(${executorId}))`;
    return row?.free ?? false;
  }

  async function look(id: string): Promise<void> {
    const now = performance.now();
    if (now < trustUntilMs || !(await isFree(id))) return void suspects.delete(id);
    const since = suspects.get(id);
    if (since === undefined) return void suspects.set(id, now);
    // Looks of a busy process may follow each other closely.
    if (now - since < options.tickMs * 0.9) return;
    suspects.delete(id);
    await options.recover(id);
  }

  async function tick(): Promise<void> {
    await holdOwnLock();
    const owners = await sql<{ id: string }[]>`
      select distinct executor_id as id from dbos.workflow_status
      where status = 'PENDING' and executor_id <> ${options.executorId} and application_version = ${options.applicationVersion}`;
    for (const { id } of owners) await look(id);
    const [count] = await sql<{ live: number }[]>`
      select count(distinct objid)::int as live from pg_locks
      where locktype = 'advisory' and classid = ${LOCK_SPACE} and granted
        and database = (select oid from pg_database where datname = current_database())`;
    const nowLive = Math.max(1, count?.live ?? 1);
    if (nowLive !== live) {
      live = nowLive;
      await options.onLiveCount(live);
    }
  }

  await tick();
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = tick()
      .catch(options.onError)
      .finally(() => {
        isBusy = false;
      });
  }, options.tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await sql.end({ timeout: 2 });
    },
  };
}
