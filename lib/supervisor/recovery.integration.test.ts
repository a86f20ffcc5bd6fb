import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import type { RunEventView } from './index.ts';

let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 20_000 });
  runs = lab.runs;
});
afterAll(() => lab?.close());

/** The answer as a reader of the log puts it together. */
function readAnswer(events: readonly RunEventView[]): string {
  const steps = new Map<number, string>();
  for (const { type, payload } of events) {
    const step = Number(payload.step);
    if (type === 'text-delta') steps.set(step, (steps.get(step) ?? '') + String(payload.text));
    if (type === 'text-reset') steps.delete(step);
  }
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('');
}

const untilTextIsShown = (runId: Id<'run'>) =>
  eventually(async () => (await lab.owner`select 1 from run_event where run_id = ${toUuid(runId)} and type = 'text-delta'`).length > 0);

describe('a run that is carried on by another', () => {
  verifies(['P-11', 'K1'], 'takes back what readers saw of the step that it says again', async () => {
    const { actor, sessionId } = await lab.aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 30 10' });
    await untilTextIsShown(runId);
    await lab.cutOff(runId);
    const events = await lab.readAll(actor, runId);
    const whole = Array.from({ length: 30 }, (_, index) => `chunk-${index + 1} `).join('');
    expect(events.filter((event) => event.type === 'text-reset')).toMatchObject([{ payload: { step: 0, attempt: 2 } }]);
    expect(readAnswer(events)).toBe(whole);
    expect((await runs.getRun(actor, runId)).answer).toBe(whole);
  });

  verifies('K30', 'does not repeat the steps that were done', async () => {
    const { actor, sessionId } = await lab.aSession();
    lab.effects.hold('second');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-once first | test.effect-keyed second' });
    await eventually(() => lab.effects.of('second').length > 0);
    await lab.cutOff(runId);
    lab.effects.release('second');
    await lab.readAll(actor, runId);
    expect(await runs.getRun(actor, runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: first\n\ndone: second' });
    expect([lab.effects.of('first').length, lab.effects.of('second').length]).toEqual([1, 2]);
  });

  verifies(['K4', 'P-12'], 'begins no step after a stop, even when its driver was not told', async () => {
    const { actor, sessionId } = await lab.aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 30 10 | test.effect-keyed untold' });
    await untilTextIsShown(runId);
    await lab.owner`update run set cancel_requested_at = now(), cancel_requested_by = ${toUuid(actor.scope.userId)} where id = ${toUuid(runId)}`;
    await lab.readAll(actor, runId);
    expect((await runs.getRun(actor, runId)).state).toBe('CANCELLED');
    expect(lab.effects.of('untold')).toEqual([]);
  });
});

describe('a run that says nothing for long', () => {
  it('is left to whoever is at work on it', async () => {
    const { actor, sessionId } = await lab.aSession();
    lab.effects.hold('long');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-once long' });
    await eventually(() => lab.effects.of('long').length > 0);
    // Two rounds of looking after runs that stand still.
    await sleep(1_200);
    lab.effects.release('long');
    await lab.readAll(actor, runId);
    expect(await runs.getRun(actor, runId)).toMatchObject({ state: 'FINISH_OK', epoch: 1, answer: 'done: long' });
  });

  it('is ended with the true reason when its segment was lost to too many crashes', async () => {
    const { actor, sessionId } = await lab.aSession();
    lab.effects.hold('lost');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-once lost' });
    await eventually(() => lab.effects.of('lost').length > 0);
    await lab.cutOff(runId);
    await lab.owner`update dbos.workflow_status set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED' where workflow_uuid = ${`${runId}:1`}`;
    await lab.readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_ERROR', error: { message: expect.stringContaining('too often') } });
    expect((await lab.owner`select type from audit_event where run_id = ${toUuid(runId)} and type = 'run.finished'`).length).toBe(1);
    lab.effects.release('lost');
  });
});
