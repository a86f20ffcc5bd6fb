import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './clock.ts';
import { dropIdleConnections } from './event-stream-client.ts';
import { messageFor, newPlan, WORKLOADS } from './model-plan.ts';
import { ourApi } from './our-lane.ts';
import type { OurServer } from './our-server.ts';
import type { ScratchDatabase } from './scratch-database.ts';

/** What became of many turns that were asked for at once, with a budget that a few of them use up. Amounts in tokens. */
export interface Overspend {
  readonly starts: number;
  readonly limit: number;
  readonly answered: number;
  /** By that budget, with its name in the run's error. */
  readonly refused: number;
  /** Of all model calls on record since the budget was set. */
  readonly spent: number;
  readonly overspent: number;
  /** What the budget's own account says that was used since. */
  readonly counted: number;
  /** Held when nothing was under way any more. */
  readonly leftHeld: number;
  readonly wallMs: number;
}

const SETTLES_WITHIN_MS = 300_000;

/**
 * `starts` turns at once, each in a session of its own, where the workspace may use what `room` of them take. The budget
 * stays: nothing else can be measured after it.
 */
export async function measureOverspend(
  { server, scratch, database }: { server: OurServer; scratch: ScratchDatabase; database: string },
  { starts, room }: { starts: number; room: number },
): Promise<Overspend> {
  const api = ourApi(server);
  const one = async (text: string, values: readonly string[] = []) => (await scratch.query(database, text, values))[0] ?? {};
  dropIdleConnections();
  await api.useModel(true);
  const [first = '', ...sessions] = await api.newSessions(starts + 1);
  const { runId } = await api.ask(first, { title: 'one turn', message: messageFor(newPlan(WORKLOADS.paced, 'echo')), steps: null });
  const turn = await one(`select ${USED} as used from model_call where run_id = $1::uuid`, [runId.slice('run_'.length)]);
  const limit = room * Number(turn.used);
  // A budget begins with all that its period has seen.
  const before = Number((await one(`select ${USED} as used from model_call`)).used);
  const since = String((await one('select clock_timestamp()::text as now')).now);
  await api.setBudget({ subject: 'tenant', measure: 'tokens', period: 'total', hardLimit: before + limit });
  const startMs = nowMs();
  await Promise.all(sessions.map((session) => api.post(session, messageFor(newPlan(WORKLOADS.paced, 'echo')))));
  const deadlineMs = nowMs() + SETTLES_WITHIN_MS;
  while (Number((await one(`select count(*) as open from run where state in ('QUEUED', 'RUNNING', 'WAITING')`)).open) > 0) {
    if (nowMs() > deadlineMs) throw new Error(`runs were still open after ${SETTLES_WITHIN_MS / 1000} s`);
    await sleep(100);
  }
  const wallMs = nowMs() - startMs;
  const ended = await one(
    `select count(*) filter (where state = 'FINISH_OK') as answered, count(*) filter (where error_code = 'budget_exceeded') as refused
     from run where created_at > $1::timestamptz`,
    [since],
  );
  const calls = await one(`select coalesce(${USED}, 0) as spent from model_call where started_at > $1::timestamptz`, [since]);
  const account = await one('select coalesce(sum(used), 0) as counted, (select count(*) from budget_hold) as held from budget_use');
  const spent = Number(calls.spent);
  return {
    starts,
    limit,
    answered: Number(ended.answered),
    refused: Number(ended.refused),
    spent,
    overspent: Math.max(0, spent - limit),
    counted: Number(account.counted) - before,
    leftHeld: Number(account.held),
    wallMs,
  };
}

const USED = 'sum(input_tokens + cached_input_tokens + cache_write_tokens + output_tokens + reasoning_tokens)';
