import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 20_000 });
  runs = lab.runs;
});
afterAll(() => lab?.close());

/** A run whose process ended while the effect `label` had happened and its answer was on the way. */
async function cutOffDuring(capabilityId: string, label: string, after = '') {
  const { actor, sessionId } = await lab.aSession();
  lab.effects.hold(label);
  const { runId } = await runs.submitMessage(actor, { sessionId, text: `${capabilityId} ${label}${after}` });
  await eventually(() => lab.effects.of(label).length > 0);
  await lab.cutOff(runId);
  lab.effects.release(label);
  return { actor, sessionId, runId };
}

async function questionOf(actor: Actor, runId: Id<'run'>) {
  const run = await eventually(async () => {
    const found = await runs.getRun(actor, runId);
    return found.state === 'WAITING' && found;
  });
  if (!run.question) throw new Error('the run waits for nothing');
  return { ...run.question, id: run.question.id as Id<'question'> };
}

const sessionStates = async (sessionId: Id<'session'>) => {
  const rows =
    await lab.owner`select payload from session_event where session_id = ${toUuid(sessionId)} and type = 'session-state' order by seq`;
  return rows.map(({ payload }) => `${payload.from} > ${payload.to}`);
};

const auditOf = async (runId: Id<'run'>, type: string) =>
  (await lab.owner`select payload from audit_event where run_id = ${toUuid(runId)} and type = ${type}`).map((row) =>
    JSON.parse(row.payload),
  );

describe('a call that was cut off and must not be repeated blindly', () => {
  verifies(['P-11', 'K30'], 'is asked about while nothing runs, and runs again when its person says so', async () => {
    const { actor, sessionId, runId } = await cutOffDuring('test.effect-once', 'again', ' | test.effect-read after');
    const question = await questionOf(actor, runId);
    expect(question).toMatchObject({
      kind: 'unknown-outcome',
      state: 'OPEN',
      answer: null,
      options: [{ value: 'run-again' }, { value: 'skip' }],
    });
    expect(question.text).toContain('test.effect-once');
    expect(await auditOf(runId, 'question.asked')).toHaveLength(1);
    const told = await lab.owner`select kind, subject_id from notice where run_id = ${toUuid(runId)}`;
    expect(told.map((row) => ({ ...row }))).toEqual([{ kind: 'question.asked', subject_id: toUuid(question.id) }]);
    // Longer than it takes for a run that stands still to be looked after: this one waits.
    const waiting = await runs.getRun(actor, runId);
    await sleep(1_200);
    expect(await runs.getRun(actor, runId)).toEqual(waiting);
    expect(await runs.awaitResult(actor, runId, AbortSignal.timeout(5_000))).toMatchObject({ terminal: 'WAITING' });
    expect([lab.effects.of('again').length, lab.effects.of('after').length]).toEqual([1, 0]);
    const slots =
      await lab.owner`select 1 from dbos.workflow_status where workflow_uuid like ${`${runId}%`} and status in ('ENQUEUED', 'PENDING')`;
    expect(slots).toHaveLength(0);

    await runs.answerQuestion(actor, { runId, questionId: question.id, answer: 'run-again' });
    await lab.readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run).toMatchObject({
      state: 'FINISH_OK',
      answer: 'done: again\n\ndone: after',
      question: { state: 'ANSWERED', answer: 'run-again' },
    });
    expect(run.invocations[0]).toMatchObject({ state: 'SUCCEEDED', attempt: 2 });
    expect(run.invocations[0]?.transitions.map((move) => move.to)).toEqual([
      'REQUESTED',
      'ARGUMENTS_VALIDATED',
      'EXECUTING',
      'EXECUTING',
      'SUCCEEDED',
    ]);
    const [first, second] = lab.effects.of('again');
    expect(second?.key).toBe(first?.key);
    expect(lab.effects.of('again')).toHaveLength(2);
    expect(await sessionStates(sessionId)).toEqual([
      'IDLE > PLANNING',
      'PLANNING > EXECUTING',
      'EXECUTING > WAITING_USER',
      'WAITING_USER > EXECUTING',
      'EXECUTING > IDLE',
    ]);
  });

  verifies('K30', 'is asked about again when the repeat was cut off as well: an answer is good for one attempt', async () => {
    const { actor, runId } = await cutOffDuring('test.effect-once', 'twice');
    const first = await questionOf(actor, runId);
    lab.effects.hold('twice');
    await runs.answerQuestion(actor, { runId, questionId: first.id, answer: 'run-again' });
    await eventually(() => lab.effects.of('twice').length === 2);
    await lab.cutOff(runId);
    lab.effects.release('twice');
    const second = await questionOf(actor, runId);
    expect(second.id).not.toBe(first.id);
    expect(lab.effects.of('twice')).toHaveLength(2);
    await runs.answerQuestion(actor, { runId, questionId: second.id, answer: 'run-again' });
    await lab.readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'done: twice', question: { id: second.id } });
    expect(run.question).not.toHaveProperty('repeatsGranted');
    expect([lab.effects.of('twice').length, run.invocations[0]?.attempt]).toEqual([3, 3]);
  });

  verifies('K30', 'is left as it is when its person says so, and the run goes on without it', async () => {
    const { actor, runId } = await cutOffDuring('test.effect-once', 'skipped', ' | test.effect-keyed beside');
    const question = await questionOf(actor, runId);
    await runs.answerQuestion(actor, { runId, questionId: question.id, answer: 'skip' });
    await lab.readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('FINISH_OK');
    expect(run.invocations.map((call) => call.state)).toEqual(['FAILED', 'SUCCEEDED']);
    expect(run.answer).toContain('The outcome is unknown');
    expect(run.answer).toContain('done: beside');
    expect([lab.effects.of('skipped').length, lab.effects.of('beside').length]).toEqual([1, 1]);
  });

  verifies('K30', 'is decided once, however many answers come at the same moment', async () => {
    const { actor, runId } = await cutOffDuring('test.effect-once', 'raced');
    const question = await questionOf(actor, runId);
    const answers = ['run-again', 'skip', 'run-again', 'skip'].map((answer) =>
      runs.answerQuestion(actor, { runId, questionId: question.id, answer }),
    );
    const outcomes = await Promise.allSettled(answers);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'already_decided' });
    await lab.readAll(actor, runId);
    await expect(runs.answerQuestion(actor, { runId, questionId: question.id, answer: 'run-again' })).rejects.toMatchObject({
      code: 'already_decided',
    });
    const decided = (await runs.getRun(actor, runId)).question?.answer;
    expect(lab.effects.of('raced')).toHaveLength(decided === 'run-again' ? 2 : 1);
    expect((await auditOf(runId, 'question.answered')).map(({ actor: by, details }) => [by, details])).toEqual([
      [{ kind: 'user', id: actor.scope.userId }, { answer: decided }],
    ]);
  });

  verifies(['K15', 'K30'], 'is decided by its own person alone, with one of the answers that were offered', async () => {
    const { actor, runId } = await cutOffDuring('test.effect-once', 'guarded');
    const question = await questionOf(actor, runId);
    const answer = (by: Actor, given: { runId?: Id<'run'>; questionId?: Id<'question'>; answer?: string }) =>
      runs.answerQuestion(by, { runId, questionId: question.id, answer: 'skip', ...given });
    const notFound = { code: 'not_found' };
    await expect(answer(await lab.aColleague(actor), {})).rejects.toMatchObject(notFound);
    await expect(answer((await lab.aSession()).actor, {})).rejects.toMatchObject(notFound);
    await expect(answer(actor, { questionId: newId('question') })).rejects.toMatchObject(notFound);
    await expect(answer(actor, { runId: newId('run') })).rejects.toMatchObject(notFound);
    await expect(answer(actor, { answer: 'maybe' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await runs.getRun(actor, runId)).question).toMatchObject({ state: 'OPEN', answer: null });
  });

  verifies(['P-12', 'K4'], 'is not run after a stop: the question is withdrawn, the text says what happened', async () => {
    const { actor, sessionId, runId } = await cutOffDuring('test.effect-once', 'withdrawn', ' | test.effect-keyed never-after');
    const question = await questionOf(actor, runId);
    expect(await runs.cancelRun(actor, runId)).toEqual({ state: 'CANCELLED' });
    await expect(runs.answerQuestion(actor, { runId, questionId: question.id, answer: 'run-again' })).rejects.toMatchObject({
      code: 'already_decided',
    });
    const events = await lab.readAll(actor, runId);
    expect(events.at(-1)).toMatchObject({ type: 'STREAM_DONE', payload: { terminal: 'CANCELLED' } });
    expect(await runs.getRun(actor, runId)).toMatchObject({
      state: 'CANCELLED',
      question: { state: 'WITHDRAWN' },
      answer: expect.stringContaining('test.effect-once was at work and may have had its effect'),
    });
    expect((await sessionStates(sessionId)).at(-1)).toBe('WAITING_USER > IDLE');
    await sleep(1_200);
    expect([lab.effects.of('withdrawn').length, lab.effects.of('never-after').length]).toEqual([1, 0]);
  });

  it('is the only kind that asks: what may be repeated is, under the same key', async () => {
    const cutOff = ['test.effect-keyed', 'test.effect-idempotent', 'test.effect-read'].map((capabilityId) =>
      cutOffDuring(capabilityId, `of ${capabilityId}`),
    );
    for (const { actor, runId } of await Promise.all(cutOff)) {
      await lab.readAll(actor, runId);
      const run = await runs.getRun(actor, runId);
      expect(run).toMatchObject({ state: 'FINISH_OK', question: null });
      expect(new Set(lab.effects.counted.filter((effect) => effect.runId === runId).map((effect) => effect.key)).size).toBe(1);
    }
  });

  verifies('K30', 'goes on without it when its person simply writes the next message, which comes after it', async () => {
    const { actor, sessionId, runId } = await cutOffDuring('test.effect-once', 'overtaken', ' | test.effect-read rest');
    await questionOf(actor, runId);
    const next = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read next' });
    expect(next.queuePlace).toBe(1);
    await Promise.all([lab.readAll(actor, runId), lab.readAll(actor, next.runId)]);
    const [first, second] = [await runs.getRun(actor, runId), await runs.getRun(actor, next.runId)];
    expect(first).toMatchObject({ state: 'FINISH_OK', question: { state: 'ANSWERED', answer: 'skip' } });
    expect(second.state).toBe('FINISH_OK');
    expect(Date.parse(second.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first.endedAt ?? ''));
    expect(lab.effects.of('overtaken')).toHaveLength(1);
  });
});
