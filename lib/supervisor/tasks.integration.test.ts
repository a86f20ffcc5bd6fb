import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { parallelTasks } from '#lib/plugins/catalogue/parallel-tasks/manifest.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type ModelServer, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

const PLACES = 6;
/** Each needs two places more for its tasks. `npm run test:deep` asks for 200. */
const COORDINATORS = Number(process.env.COORDINATORS ?? 4 * PLACES);
let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 60_000, places: PLACES, manifests: [parallelTasks] });
  runs = lab.runs;
});
afterAll(() => lab?.close());

interface Asked {
  readonly actor: Actor;
  readonly sessionId: Id<'session'>;
  readonly runId: Id<'run'>;
}

/** A run that hands on these tasks. */
async function coordinate(...tasks: readonly string[]): Promise<Asked> {
  const { actor, sessionId } = await lab.aSession('parallel-tasks');
  const { runId } = await runs.submitMessage(actor, { sessionId, text: tasks.join('\n') });
  return { actor, sessionId, runId };
}

const get = ({ actor, runId }: Asked) => runs.getRun(actor, runId);
async function toEnd(asked: Asked) {
  await lab.readAll(asked.actor, asked.runId);
  return get(asked);
}
const tasksOf = (asked: Asked, count: number) =>
  eventually(async () => {
    const { tasks } = await get(asked);
    return (
      tasks.length === count &&
      tasks.map((task) => ({ ...asked, runId: task.runId as Id<'run'>, sessionId: task.sessionId as Id<'session'> }))
    );
  });
const untilWaiting = (asked: Asked) => eventually(async () => (await get(asked)).state === 'WAITING');
const sessionState = async (sessionId: string) =>
  (await lab.owner`select state from agent_session where id = ${toUuid(sessionId as Id<'session'>)}`).map(({ state }) => String(state))[0];
/** What is on record of the session's moves. */
const sessionMoves = async (sessionId: string) =>
  (
    await lab.owner`select payload from session_event where session_id = ${toUuid(sessionId as Id<'session'>)} and type = 'session-state' order by seq`
  ).map(({ payload }) => `${payload.from} > ${payload.to}`);

describe('a run that hands on tasks', () => {
  verifies('H-36', 'has each worked on by a run of its own, and gathers what they came to', async () => {
    const asked = await coordinate('test.effect-keyed one', 'test.effect-read two', 'test.effect-once three');
    // Whoever asked for the result waits for it, not only until the run waits for its tasks.
    const result = await runs.awaitResult(asked.actor, asked.runId, AbortSignal.timeout(10_000));
    const run = await get(asked);
    expect(result).toMatchObject({ terminal: 'FINISH_OK', snapshot: { echo: run.answer } });
    expect(run).toMatchObject({
      state: 'FINISH_OK',
      parentRunId: null,
      answer: [
        '**test.effect-keyed one**\n\ndone: one',
        '**test.effect-read two**\n\ndone: two',
        '**test.effect-once three**\n\ndone: three',
      ].join('\n\n'),
    });
    expect(run.tasks.map(({ textHead, state }) => [textHead, state])).toEqual([
      ['test.effect-keyed one', 'FINISH_OK'],
      ['test.effect-read two', 'FINISH_OK'],
      ['test.effect-once three', 'FINISH_OK'],
    ]);
    const [call] = run.invocations;
    expect(call).toMatchObject({ capabilityId: 'agents.delegate', state: 'SUCCEEDED' });
    expect(run.tasks.every(({ invocationId }) => invocationId === call?.id)).toBe(true);
    for (const task of await tasksOf(asked, 3)) {
      const own = await get(task);
      expect(own).toMatchObject({ state: 'FINISH_OK', parentRunId: asked.runId, actor: { userId: asked.actor.scope.userId } });
      expect(own.sessionId).not.toBe(asked.sessionId);
      expect(await sessionState(own.sessionId)).toBe('COMPLETED');
      // On record as any run, from the message to the end.
      const audited = await lab.owner`select type, payload from audit_event where run_id = ${toUuid(task.runId)} order by id`;
      expect([audited.at(0)?.type, audited.at(-1)?.type]).toEqual(['run.submitted', 'run.finished']);
      expect(JSON.parse(String(audited[0]?.payload))).toMatchObject({ details: { parentRunId: asked.runId } });
    }
    expect(await sessionState(asked.sessionId)).toBe('IDLE');
    const [root] =
      await lab.owner`select count(*)::int as n from run where root_run_id = ${toUuid(asked.runId)} and root_session_id = ${toUuid(asked.sessionId)}`;
    expect(root?.n).toBe(3);
  });

  verifies(
    ['H-36', 'H-26'],
    'holds no place while it waits: many times more of them than places come to their end',
    async () => {
      const all = await Promise.all(
        Array.from({ length: COORDINATORS }, (_, index) => coordinate(`test.effect-read a${index}`, `test.effect-read b${index}`)),
      );
      const ended = await Promise.all(all.map(toEnd));
      const last = COORDINATORS - 1;
      expect(ended.map(({ state }) => state)).toEqual(all.map(() => 'FINISH_OK'));
      expect(ended.at(-1)?.answer).toBe(
        `**test.effect-read a${last}**\n\ndone: a${last}\n\n**test.effect-read b${last}**\n\ndone: b${last}`,
      );
    },
    120_000,
  );

  verifies('H-36', 'waits with no place of its own while a task waits for a person', async () => {
    const asked = await coordinate('test.effect-destructive wipe', 'test.effect-read beside');
    const [wiping] = await tasksOf(asked, 2);
    if (!wiping) throw new Error('there is no task');
    await untilWaiting(asked);
    await untilWaiting(wiping);
    await eventually(async () => (await runs.readLine()).active === 0);
    const { stages } = await lab.record.readFigures(asked.actor, { period: '7d' });
    const standing = new Map(stages.map(({ stage, runId }) => [stage, runId]));
    expect([standing.size, standing.get('approval'), standing.get('tasks')]).toEqual([2, wiping.runId, asked.runId]);
    // Nobody is needed in the session itself.
    expect(await sessionState(asked.sessionId)).toBe('EXECUTING');
    const [approval] = (await runs.readInbox(asked.actor)).approvals;
    expect(approval).toMatchObject({ runId: wiping.runId, sessionTitle: 'test.effect-destructive wipe' });
    await runs.decideApproval(asked.actor, approval?.id as Id<'approval'>, { decision: 'deny' });
    expect(await toEnd(asked)).toMatchObject({ state: 'FINISH_OK', answer: expect.stringContaining('done: beside') });
    expect(lab.effects.of('wipe')).toEqual([]);
  });

  verifies('H-36', 'takes its tasks with it when it is stopped, those that wait too', async () => {
    lab.effects.hold('in work');
    const asked = await coordinate('test.effect-read in work', 'test.effect-destructive undecided', 'test.effect-read over');
    const tasks = await tasksOf(asked, 3);
    await untilWaiting(asked);
    await eventually(async () => lab.effects.of('in work').length > 0 && (await Promise.all(tasks.map(get)))[1]?.state === 'WAITING');
    await eventually(async () => (await Promise.all(tasks.map(get)))[2]?.state === 'FINISH_OK');
    expect(await runs.cancelRun(asked.actor, asked.runId)).toEqual({ state: 'CANCELLED' });
    const ended = await Promise.all(tasks.map(toEnd));
    expect(ended.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED', 'FINISH_OK']);
    lab.effects.release('in work');
    const run = await get(asked);
    expect(run).toMatchObject({ state: 'CANCELLED', answer: '_Stopped while agents.delegate was at work. It changes nothing._' });
    expect(run.invocations).toMatchObject([{ state: 'FAILED' }]);
    expect((await runs.readInbox(asked.actor)).approvals).toEqual([]);
    expect(await sessionState(tasks[0]?.sessionId ?? '')).toBe('CANCELLED');
    // Each move begins where the one before it ended: this session was never in anybody's hands.
    expect((await sessionMoves(asked.sessionId)).at(-1)).toBe('EXECUTING > IDLE');
    expect((await sessionMoves(tasks[0]?.sessionId ?? '')).at(-1)).toBe('EXECUTING > CANCELLED');
    expect((await sessionMoves(tasks[1]?.sessionId ?? '')).at(-1)).toBe('WAITING_USER > CANCELLED');
  });

  verifies('H-36', 'tells of a task that was stopped by itself, and of one that failed', async () => {
    lab.effects.hold('stopped alone');
    const asked = await coordinate('test.effect-read stopped alone', 'no.such capability', 'test.effect-read fine');
    const [stopped] = await tasksOf(asked, 3);
    await eventually(() => lab.effects.of('stopped alone').length > 0);
    await untilWaiting(asked);
    if (stopped) await runs.cancelRun(stopped.actor, stopped.runId);
    lab.effects.release('stopped alone');
    const run = await toEnd(asked);
    expect(run.state).toBe('FINISH_OK');
    expect(run.tasks.map(({ state }) => state)).toEqual(['CANCELLED', 'FINISH_ERROR', 'FINISH_OK']);
    expect(run.answer).toContain('⚠ _Stopped while test.effect-read was at work. It changes nothing._');
    expect(run.answer).toContain('unknown capability: no.such');
    expect(run.answer).toContain('done: fine');
    expect(await sessionState(run.tasks[1]?.sessionId ?? '')).toBe('FAILED');
  });

  verifies(['H-36', 'H-28'], 'starts no task twice when it is cut off, and goes on where the word of a task’s end was lost', async () => {
    lab.effects.hold('once each');
    const asked = await coordinate('test.effect-once once each', 'test.effect-read quick');
    await tasksOf(asked, 2);
    await untilWaiting(asked);
    // As if its process had died before it could say that it waits: another drives the same segment again.
    await lab.owner`update run set state = 'RUNNING' where id = ${toUuid(asked.runId)}`;
    await lab.cutOff(asked.runId);
    await eventually(async () => (await get(asked)).state === 'WAITING');
    expect((await get(asked)).tasks).toHaveLength(2);
    // The last task ends unheard: nobody is told but the record.
    const open = await tasksOf(asked, 2);
    await lab.owner`update run set state = 'FINISH_OK', answer = 'unheard', ended_at = now(), epoch = epoch + 1 where id = ${toUuid(open[0]?.runId ?? asked.runId)}`;
    lab.effects.release('once each');
    const run = await toEnd(asked);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: expect.stringContaining('unheard') });
    expect(run.tasks).toHaveLength(2);
    expect(lab.effects.of('once each')).toHaveLength(1);
  });

  verifies(['H-14', 'H-36'], 'keeps what its session is asked meanwhile behind it', async () => {
    lab.effects.hold('long task');
    const asked = await coordinate('test.effect-read long task');
    await untilWaiting(asked);
    const { runId } = await runs.submitMessage(asked.actor, { sessionId: asked.sessionId, text: 'test.effect-read next one' });
    const next = { ...asked, runId };
    await eventually(async () => (await get(next)).queuePlace === 1);
    // Looked after like any run that stands still, it stays where it is.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await get(next)).state).toBe('QUEUED');
    lab.effects.release('long task');
    const [first, second] = [await toEnd(asked), await toEnd(next)];
    expect([first.state, second.state]).toEqual(['FINISH_OK', 'FINISH_OK']);
    expect(Date.parse(second.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first.endedAt ?? ''));
  });

  it('ends its tasks when it ends without them', async () => {
    lab.effects.hold('left behind');
    const asked = await coordinate('test.effect-read left behind');
    const [task] = await tasksOf(asked, 1);
    await eventually(() => lab.effects.of('left behind').length > 0);
    await lab.owner`update run set state = 'FINISH_ERROR', ended_at = now() where id = ${toUuid(asked.runId)}`;
    expect((await toEnd(task ?? asked)).state).toBe('CANCELLED');
    lab.effects.release('left behind');
  });

  it('is not there for others, nor are its tasks; a list of chats has its session alone', async () => {
    const asked = await coordinate('test.effect-read private');
    await toEnd(asked);
    const [task] = await tasksOf(asked, 1);
    const stranger = await lab.aSession();
    for (const runId of [asked.runId, task?.runId ?? asked.runId])
      await expect(runs.getRun(stranger.actor, runId)).rejects.toMatchObject({ code: 'not_found' });
    const listed = await lab.listSessions(asked.actor);
    expect(listed.map(({ id }) => id)).toEqual([asked.sessionId]);
  });

  it('hands on nothing from within a task, and no more than a run may', async () => {
    const asked = await coordinate('test.effect-read first');
    await toEnd(asked);
    const [task] = await tasksOf(asked, 1);
    lab.effects.hold('busy');
    const { sessionId } = await lab.aSession('default', asked.actor);
    const { runId } = await runs.submitMessage(asked.actor, { sessionId, text: 'test.effect-read busy' });
    await eventually(() => lab.effects.of('busy').length > 0);
    await lab.owner`update run set parent_run_id = ${toUuid(asked.runId)} where id = ${toUuid(runId)}`;
    await expect(lab.handOn({ ...asked, runId }, ['a'])).rejects.toMatchObject({ code: 'limit_reached' });
    await lab.owner`update run set parent_run_id = null where id = ${toUuid(runId)}`;
    await expect(
      lab.handOn(
        { ...asked, runId },
        Array.from({ length: 33 }, () => 'a'),
      ),
    ).rejects.toMatchObject({ code: 'limit_reached' });
    await lab.owner`update run set cancel_requested_at = now() where id = ${toUuid(runId)}`;
    await expect(lab.handOn({ ...asked, runId }, ['a'])).rejects.toMatchObject({ code: 'conflict' });
    await expect(lab.handOn({ ...asked, runId: task?.runId ?? runId }, ['a'])).rejects.toMatchObject({ code: 'conflict' });
    lab.effects.release('busy');
  });
});

/** Tasks that a model answers, each for 3,900 tokens, in a new workspace with budgets. */
async function coordinateWithin(budgets: readonly Record<string, string | number>[], ...tasks: readonly string[]) {
  const { actor, sessionId } = await lab.aSession('parallel-tasks');
  const tenant = toUuid(actor.scope.tenantId);
  for (const set of budgets) {
    const budget = { tenant_id: tenant, id: toUuid(newId('budget')), measure: 'tokens', period: 'total', ...set };
    await lab.owner`insert into budget ${lab.owner(budget)}`;
  }
  const { runId } = await runs.submitMessage(actor, { sessionId, text: tasks.join('\n') });
  const run = await toEnd({ actor, sessionId, runId });
  const uses = await lab.owner`
    select b.subject, u.subject_id, u.used::int from budget_use u join budget b on b.id = u.budget_id
    where u.tenant_id = ${tenant} order by b.subject`;
  const held = await lab.owner`select 1 from budget_hold where tenant_id = ${tenant}`;
  return { actor, sessionId, run, uses: uses.map((use) => ({ ...use })), held: held.length };
}

describe('budgets of a run that hands on tasks', () => {
  let provider: ModelServer;
  beforeAll(async () => {
    provider = await startModelServer(() =>
      streamed({ text: 'Said.', usage: { prompt_tokens: 3_800, completion_tokens: 100, total_tokens: 3_900 } }),
    );
    const spec = { provider: 'compatible', model: 'scripted' } as const;
    const model = createLanguageModel({ spec, baseUrl: provider.url, apiKey: null, fetch: globalThis.fetch });
    lab.useModel({ status: 'available', model, price: null, fallsBack: false });
  });
  afterAll(async () => {
    lab.useModel({ status: 'unavailable', code: 'no-model' });
    await provider.close();
  });

  verifies(['H-36', 'H-34'], 'cover its tasks: what they use is used by its chat, its person and its workspace', async () => {
    const limit = { hard_limit: 1_000_000 };
    const set = [
      { subject: 'session', ...limit },
      { subject: 'user', ...limit },
      { subject: 'tenant', ...limit },
    ];
    const { actor, sessionId, run, uses, held } = await coordinateWithin(set, 'one', 'two', 'three');
    expect(run.state).toBe('FINISH_OK');
    expect(uses).toEqual([
      { subject: 'session', subject_id: toUuid(sessionId), used: 11_700 },
      { subject: 'tenant', subject_id: toUuid(actor.scope.tenantId), used: 11_700 },
      { subject: 'user', subject_id: toUuid(actor.scope.userId), used: 11_700 },
    ]);
    expect(held).toBe(0);
  });

  verifies(['H-36', 'H-34'], 'are not got around by handing on: a task that has no room is refused, and its run tells', async () => {
    const before = provider.requests.length;
    // Room for one of them, whichever comes first.
    const { run, uses, held } = await coordinateWithin([{ subject: 'session', hard_limit: 4_000 }], 'one', 'two', 'three', 'four');
    expect(run.state).toBe('FINISH_OK');
    expect(run.tasks.map(({ state }) => state).sort()).toEqual(['FINISH_ERROR', 'FINISH_ERROR', 'FINISH_ERROR', 'FINISH_OK']);
    expect(provider.requests.length - before).toBe(1);
    expect(run.answer).toContain('this chat has used');
    expect(uses.map(({ used }) => used)).toEqual([3_900]);
    expect(held).toBe(0);
  });
});
