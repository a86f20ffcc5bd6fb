import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, parseId, toUuid } from '#lib/kernel/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import { STAGED_PLUGIN } from '#lib/testing/staged-plugin.ts';
import type { RunEventView } from './index.ts';

let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 20_000, manifests: [STAGED_PLUGIN] });
  runs = lab.runs;
});
afterAll(() => lab?.close());

const completed = (events: readonly RunEventView[]) =>
  events.filter(({ type }) => type === 'stage-completed').map(({ payload }) => payload.id);
const calls = async (runId: Id<'run'>) =>
  (await lab.owner`select path, capability_id, state, attempt from invocation where run_id = ${toUuid(runId)} order by step`).map((row) => [
    row.path,
    row.state,
  ]);

describe('a preset with a pipeline', () => {
  it('answers by its stages, each with what it found, whether or not there is a model', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read first | test.effect-read answer' });
    const events = await lab.readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run).toMatchObject({
      state: 'FINISH_OK',
      answer: 'done: answer',
      path: 'deterministic',
      graph: 'staged',
      pathReason: { code: 'pipeline' },
      stepCount: 3,
      plan: {
        summary: 'task (0.75): 2 calls -> 3 step(s)',
        intent: { kind: 'task', confidence: 0.75, rationale: '2 calls' },
        stages: [
          { id: 'read', state: 'done', confidence: 0.75, reasons: ['the message lists them'] },
          { id: 'act', state: 'done', summary: '1 made', confidence: null },
          { id: 'say', state: 'done' },
        ],
        steps: [{ capabilityId: 'test.effect-read', rationale: 'for first', clause: 'act' }, { clause: 'say' }],
      },
    });
    expect(await calls(runId)).toEqual([
      ['staged/act/0', 'SUCCEEDED'],
      ['staged/say/0', 'SUCCEEDED'],
    ]);
    expect(completed(events)).toEqual(['read', 'act', 'say']);
    const order = events.map(({ type }) => type);
    expect(order.indexOf('path-chosen')).toBeLessThan(order.indexOf('AgentPlanProposed'));
    expect(order.indexOf('AgentPlanProposed')).toBeLessThan(order.indexOf('stage-completed'));
  });

  it('passes over the stages that a message does not need', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read only' });
    expect(completed(await lab.readAll(actor, runId))).toEqual(['read', 'say']);
    expect((await runs.getRun(actor, runId)).plan?.stages?.map(({ state }) => state)).toEqual(['done', 'skipped', 'done']);
  });

  verifies('K30', 'goes on where its process ended: no stage and no call that was done is done again', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    lab.effects.hold('b-second');
    const text = 'test.effect-once b-first | test.effect-keyed b-second | test.effect-keyed b-answer';
    const { runId } = await runs.submitMessage(actor, { sessionId, text });
    await eventually(() => lab.effects.of('b-second').length > 0);
    await lab.cutOff(runId);
    lab.effects.release('b-second');
    const events = await lab.readAll(actor, runId);
    expect(await runs.getRun(actor, runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: b-answer' });
    expect(['b-first', 'b-second', 'b-answer'].map((label) => lab.effects.of(label).length)).toEqual([1, 2, 1]);
    expect(new Set(lab.effects.of('b-second').map(({ key }) => key)).size).toBe(1);
    expect(completed(events)).toEqual(['read', 'act', 'say']);
    expect(events.filter(({ type }) => type === 'AgentPlanProposed').length).toBe(1);
    expect((await runs.getRun(actor, runId)).plan?.stages?.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  it('says the answer again from its beginning when the process ended while it was said', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    lab.effects.hold('c-answer');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-once c-first | test.effect-keyed c-answer' });
    await eventually(() => lab.effects.of('c-answer').length > 0);
    await lab.cutOff(runId);
    lab.effects.release('c-answer');
    const events = await lab.readAll(actor, runId);
    expect(await runs.getRun(actor, runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: c-answer' });
    expect(lab.effects.of('c-first').length).toBe(1);
    expect(completed(events)).toEqual(['read', 'act', 'say']);
  });

  it('asks before it repeats a call that must not run twice', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    lab.effects.hold('d-once');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-once d-once | test.effect-keyed d-answer' });
    await eventually(() => lab.effects.of('d-once').length > 0);
    await lab.cutOff(runId);
    lab.effects.release('d-once');
    const questionId = await eventually(async () => parseId('question', (await runs.getRun(actor, runId)).question?.id ?? ''));
    await runs.answerQuestion(actor, { runId, questionId, answer: 'skip' });
    await lab.readAll(actor, runId);
    expect(await runs.getRun(actor, runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: d-answer' });
    expect(lab.effects.of('d-once').length).toBe(1);
  });

  it('goes on after a call that was refused, and fails when its answer was', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    const told = await runs.submitMessage(actor, { sessionId, text: 'test.handlerless x | test.effect-read answer' });
    await lab.readAll(actor, told.runId);
    const run = await runs.getRun(actor, told.runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'done: answer' });
    expect(run.plan?.stages?.[1]?.reasons).toEqual(['unknown_capability: unknown capability: test.handlerless']);
    const failed = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read x | test.handlerless y' });
    await lab.readAll(actor, failed.runId);
    expect(await runs.getRun(actor, failed.runId)).toMatchObject({
      state: 'FINISH_ERROR',
      error: { message: 'unknown capability: test.handlerless' },
    });
  });

  it('stops between its calls when it is told to', async () => {
    const { actor, sessionId } = await lab.aSession('staged');
    lab.effects.hold('e-first');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-keyed e-first | test.effect-keyed e-answer' });
    await eventually(() => lab.effects.of('e-first').length > 0);
    await runs.cancelRun(actor, runId);
    lab.effects.release('e-first');
    await lab.readAll(actor, runId);
    expect((await runs.getRun(actor, runId)).state).toBe('CANCELLED');
    expect(lab.effects.of('e-answer')).toEqual([]);
  });
});

describe('a preset that lists its capabilities', () => {
  verifies('P-22', 'has no other: a plan for one of them is refused as if there were none', async () => {
    const narrow = await lab.aSession('narrow');
    const { runId } = await runs.submitMessage(narrow.actor, { sessionId: narrow.sessionId, text: 'test.effect-keyed f-out' });
    await lab.readAll(narrow.actor, runId);
    expect(await runs.getRun(narrow.actor, runId)).toMatchObject({
      state: 'FINISH_ERROR',
      error: { message: 'unknown capability: test.effect-keyed' },
    });
    expect(lab.effects.of('f-out')).toEqual([]);

    const { actor, sessionId } = await lab.aSession();
    const open = await runs.submitMessage(actor, { sessionId, text: 'test.effect-keyed f-in' });
    await lab.readAll(actor, open.runId);
    expect(await runs.getRun(actor, open.runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: f-in' });
  });
});
