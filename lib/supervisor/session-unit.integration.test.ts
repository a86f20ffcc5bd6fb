import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { toUuid } from '#lib/kernel/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 30_000 });
  runs = lab.runs;
});
afterAll(() => lab?.close());

describe('a session', () => {
  verifies(
    'H-14',
    'is driven by one unit at a time: what comes from outside meanwhile queues, and changes nothing by itself',
    async () => {
      const { actor, sessionId } = await lab.aSession();
      const session = async () =>
        (await lab.owner`select state, event_seq from agent_session where id = ${toUuid(sessionId)}`).map(({ state }) => String(state))[0];
      lab.effects.hold('first');
      const first = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read first' });
      await eventually(() => lab.effects.of('first').length > 0);
      const others = await Promise.all(
        ['second', 'third', 'fourth'].map((label) => runs.submitMessage(actor, { sessionId, text: `test.effect-read ${label}` })),
      );
      // One that has not begun is stopped: the session is at work on another, and stays so.
      const stopped = others[1]?.runId ?? first.runId;
      await runs.cancelRun(actor, stopped);
      await sleep(1_200);
      expect(await session()).toBe('EXECUTING');
      expect(['second', 'third', 'fourth'].filter((label) => lab.effects.of(label).length > 0)).toEqual([]);
      let mostAtOnce = 0;
      const count = async () => {
        const [row] = await lab.owner`
          select count(*)::int as n from dbos.workflow_status where status = 'PENDING' and queue_partition_key = ${sessionId}`;
        mostAtOnce = Math.max(mostAtOnce, Number(row?.n));
      };
      const watch = setInterval(() => void count(), 5);
      lab.effects.release('first');
      const all = [first, ...others].map(({ runId }) => runId);
      for (const runId of all) await lab.readAll(actor, runId);
      clearInterval(watch);
      expect(mostAtOnce).toBeLessThanOrEqual(1);
      const seen = await Promise.all(all.map((runId) => runs.getRun(actor, runId)));
      expect(seen.map(({ id, state }) => [id === stopped, state])).toEqual(
        all.map((runId) => [runId === stopped, runId === stopped ? 'CANCELLED' : 'FINISH_OK']),
      );
      // They were sent at once: which of them was taken in first is not said.
      const worked = seen
        .filter(({ startedAt }) => startedAt !== null)
        .sort((a, b) => Date.parse(a.startedAt ?? '') - Date.parse(b.startedAt ?? ''));
      for (const [index, run] of worked.entries()) {
        const before = worked[index - 1];
        if (before) expect(Date.parse(run.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before.endedAt ?? ''));
      }
      expect(await session()).toBe('IDLE');
    },
    30_000,
  );

  verifies(
    'H-27',
    'has each move on record before its step, and goes on from there when the step is cut off',
    async () => {
      const { actor, sessionId } = await lab.aSession();
      lab.effects.hold('acts');
      const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-once before | test.effect-keyed acts' });
      await eventually(() => lab.effects.of('acts').length > 0);
      // The deed is under way: that it would be is already there for everybody.
      const moves = await lab.owner`
      select t.to_state from invocation i join invocation_transition t on t.tenant_id = i.tenant_id and t.invocation_id = i.id
      where i.run_id = ${toUuid(runId)} and i.step = 1 order by t.seq`;
      expect(moves.map(({ to_state }) => to_state)).toEqual(['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING']);
      const logged = await lab.owner`
      select payload->>'to' as reached from run_event where run_id = ${toUuid(runId)} and type = 'invocation-state' order by seq desc limit 1`;
      expect(logged[0]?.reached).toBe('EXECUTING');
      await lab.cutOff(runId);
      lab.effects.release('acts');
      await lab.readAll(actor, runId);
      const run = await runs.getRun(actor, runId);
      expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'done: before\n\ndone: acts' });
      // Back to the last stable state: what was done before it is not done again, what was cut off is, under the same key.
      expect(lab.effects.of('before')).toHaveLength(1);
      expect(new Set(lab.effects.of('acts').map(({ key }) => key)).size).toBe(1);
      expect(run.invocations[1]?.transitions.map(({ from, to }) => `${from} ${to}`)).toEqual([
        'null REQUESTED',
        'REQUESTED ARGUMENTS_VALIDATED',
        'ARGUMENTS_VALIDATED EXECUTING',
        'EXECUTING EXECUTING',
        'EXECUTING SUCCEEDED',
      ]);
    },
    30_000,
  );

  verifies(
    'H-28',
    'tells nobody of what is not stored yet: a crash loses at most the event that was being written',
    async () => {
      const { actor, sessionId } = await lab.aSession();
      const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 40 5 | test.effect-keyed stored' });
      let told = 0;
      for await (const batch of runs.tailRun({ scope: actor.scope, runId, after: 0, signal: AbortSignal.timeout(20_000) })) {
        const [row] = await lab.owner`select count(*)::int as stored from run_event where run_id = ${toUuid(runId)}`;
        told = batch.at(-1)?.seq ?? told;
        expect(Number(row?.stored)).toBeGreaterThanOrEqual(told);
      }
      expect(told).toBeGreaterThan(20);
      expect((await runs.getRun(actor, runId)).lastSeq).toBe(told);
    },
    30_000,
  );
});
