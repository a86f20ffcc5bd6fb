import { describe, expect, it } from 'vitest';
import { aGoodPoint, ONCE, type Point, STREAM } from './a-good-point.ts';
import { findFaults } from './find-faults.ts';
import type { Step } from './workload.ts';

/** What is found after `harm` was done to a good point, as `kind where: what`. */
function faultsAfter(harm: (point: Point) => void, steps?: readonly Step[]): string[] {
  const point = aGoodPoint(steps);
  harm(point);
  return findFaults(point).map(({ kind, where, what }) => `${kind} ${where}: ${what}`);
}

function first<Item>(items: readonly Item[]): Item {
  const item = items[0];
  if (item === undefined) throw new Error('nothing there');
  return item;
}

/** The run as it stands after its once-only first step was cut off, asked about and `choice`. */
function asked(point: Point, choice: 'run-again' | 'skip'): void {
  point.outcome.questions.push({
    id: 'q',
    runId: 'run_1',
    invocationId: 'inv_0',
    kind: 'unknown-outcome',
    state: 'ANSWERED',
    answer: choice,
  });
  first(point.asked).choices = new Map([['q', choice]]);
}

/** Its stop was answered and it ended so, and one of its effects came at `atMs`. */
const stopThenEffectAt = (atMs: number) => (point: Point) => {
  first(point.asked).stopped = { answeredAtMs: 10, state: 'RUNNING' };
  Object.assign(first(point.outcome.runs), { state: 'CANCELLED', endedAtMs: 20 });
  Object.assign(first(point.outcome.effects), { atMs });
};

const stopAnsweredAt = (answeredAtMs: number) => (point: Point) => void (first(point.asked).stopped = { answeredAtMs, state: 'RUNNING' });

const event = (seq: number, change: object) => (point: Point) => void Object.assign(point.outcome.events[seq - 1] ?? {}, change);

/** Another run of the same session. */
const secondRun = (startedAtMs: number, createdAtMs: number) => (point: Point) => {
  point.outcome.runs.push({
    ...first(point.outcome.runs),
    id: 'run_2',
    idempotencyKey: 'k2',
    startedAtMs,
    createdAtMs,
    endedAtMs: 30,
  });
};

/** The process ended in the first step, which must not run twice: a person is asked. */
const cutOff = (point: Point) => {
  Object.assign(first(point.outcome.runs), { state: 'WAITING', answer: null, endedAtMs: null });
  Object.assign(first(point.outcome.invocations), { state: 'EXECUTING' });
  point.outcome.transitions.pop();
  point.outcome.questions.push({
    id: 'q',
    runId: 'run_1',
    invocationId: 'inv_0',
    kind: 'unknown-outcome',
    state: 'OPEN',
    answer: null,
  });
};

/** A later message to the waiting session declined the question: nobody chose. */
const declineFirst = (messageAtMs: number) => (point: Point) => {
  skipFirst(point);
  first(point.asked).choices = new Map();
  point.outcome.events.push({ runId: 'run_1', seq: 99, type: 'question-asked', atMs: 6, payload: { id: 'q' } });
  point.outcome.runs.push({ ...first(point.outcome.runs), id: 'run_2', idempotencyKey: 'later', createdAtMs: messageAtMs });
};

const stepFaultsWithMessageAt = (messageAtMs: number) =>
  faultsAfter(declineFirst(messageAtMs), [ONCE, STREAM]).filter((fault) => fault.startsWith('lost k: step'));

const skipFirst = (point: Point) => {
  asked(point, 'skip');
  point.outcome.effects.pop();
  Object.assign(first(point.outcome.invocations), { state: 'FAILED' });
};

describe('findFaults', () => {
  it('finds nothing where nothing is wrong: a keyed call may arrive twice under one key', () => {
    expect(faultsAfter(() => undefined)).toEqual([]);
  });

  describe('lost', () => {
    it.each<[string, (point: Point) => void]>([
      ['k: was never accepted', ({ asked: [order] }) => order?.runIds.splice(0)],
      ['k: was answered with run_1, which is not there', ({ outcome }) => outcome.runs.splice(0)],
      ['k: stands still as RUNNING, epoch 2', ({ outcome }) => void (first(outcome.runs).state = 'RUNNING')],
      ['k: stands still as QUEUED, epoch 2', ({ outcome }) => void (first(outcome.runs).state = 'QUEUED')],
      [
        'k: apr_1 is APPROVED; its answer was deny',
        ({ asked, outcome }) => {
          Object.assign(asked[0] ?? {}, { decisions: new Map([['apr_1', 'deny']]) });
          outcome.approvals.push({ id: 'apr_1', runId: 'run_1', invocationId: null, state: 'APPROVED' });
          outcome.audit.push({ runId: 'run_1', type: 'approval.decided', invocationId: null, targetId: 'apr_1' });
        },
      ],
      ['k: waits with 0 open questions', ({ outcome }) => void (first(outcome.runs).state = 'WAITING')],
      [
        'k: ended as FINISH_ERROR instead of FINISH_OK: oh',
        ({ outcome }) => void Object.assign(first(outcome.runs), { state: 'FINISH_ERROR', error: 'oh' }),
      ],
      [
        'k: step 1 (test.stream) is EXECUTING instead of SUCCEEDED',
        ({ outcome }) => void Object.assign(outcome.invocations[1] ?? {}, { state: 'EXECUTING' }),
      ],
      ['k: step 2 should be test.effect-once k-c and is undefined ', ({ outcome }) => void outcome.invocations.pop()],
      ['k-a: succeeded without its effect', ({ outcome }) => void outcome.effects.splice(0, 2)],
    ])('%s', (fault, harm) => {
      expect(faultsAfter(harm)).toContain(`lost ${fault}`);
    });

    it('is a run that asks about a call that may be repeated', () => {
      const faults = faultsAfter(({ outcome }) => {
        first(outcome.runs).state = 'WAITING';
        first(outcome.invocations).state = 'EXECUTING';
        outcome.questions.push({ id: 'q', runId: 'run_1', invocationId: 'inv_0', kind: 'unknown-outcome', state: 'OPEN', answer: null });
      });
      expect(faults).toContain('lost k: waits for an answer about test.effect-keyed in EXECUTING');
    });
  });

  describe('doubled', () => {
    it.each<[string, (point: Point) => void]>([
      ['k: was answered with the runs run_1, run_2', ({ asked: [order] }) => void order?.runIds.push('run_2')],
      ['k: has 2 runs', ({ outcome }) => void outcome.runs.push({ ...first(outcome.runs), id: 'run_2' })],
      [
        'run_2: a run that nobody asked for',
        ({ outcome }) => void outcome.runs.push({ ...first(outcome.runs), id: 'run_2', idempotencyKey: 'x' }),
      ],
      ['zzz: an effect that nobody asked for', ({ outcome }) => void outcome.effects.push({ ...first(outcome.effects), label: 'zzz' })],
      ['k-a: keyed with 2 keys: run_1:0, other', ({ outcome }) => void (first(outcome.effects).key = 'other')],
      ['k-a: run by run_2 as well', ({ outcome }) => void (first(outcome.effects).runId = 'run_2')],
      ['k-a: 3 effects, 2 attempts on record', ({ outcome }) => void outcome.effects.push({ ...first(outcome.effects) })],
      [
        'k-c: ran 2 times, may run 1 times',
        ({ outcome }) => void outcome.effects.push({ ...first(outcome.effects), label: 'k-c', key: 'run_1:2' }),
      ],
      [
        'k: 1 calls more than steps',
        ({ outcome }) => void outcome.invocations.push({ ...first(outcome.invocations), id: 'inv_9', step: 9 }),
      ],
    ])('%s', (fault, harm) => {
      // Each of the two that are about keys replaces one of two effects.
      expect(faultsAfter(harm).map((found) => found.replace('other, run_1:0', 'run_1:0, other'))).toContain(`doubled ${fault}`);
    });

    it('is what runs after its stop was answered, some time on the way allowed', () => {
      expect(faultsAfter(stopThenEffectAt(100))).not.toContain('doubled k-a: ran after the stop was answered');
      expect(faultsAfter(stopThenEffectAt(1_000))).toContain('doubled k-a: ran after the stop was answered');
    });
  });

  describe('broken', () => {
    it.each<[string, (point: Point) => void]>([
      ['k: the log has a gap before seq 4', ({ outcome }) => void outcome.events.splice(2, 1)],
      ['k: the run counts 10 events, the log has 9', ({ outcome }) => void outcome.events.pop()],
      ['k: 2 STREAM_DONE in a run that is FINISH_OK', event(9, { type: 'STREAM_DONE' })],
      ['k: 0 STREAM_DONE in a run that is FINISH_OK', event(10, { type: 'RUN_FINISH' })],
      ['k: seq 4: the run went QUEUED -> RUNNING in RUNNING', event(4, { payload: { from: 'QUEUED', to: 'RUNNING' } })],
      ['k: the log says RUNNING, the run FINISH_OK', event(9, { type: 'other' })],
      ['k: 0 answers in the transcript of a run that is FINISH_OK', ({ outcome }) => void outcome.messages.pop()],
      [
        'k: 2 answers in the transcript of a run that is FINISH_OK',
        ({ outcome }) => void outcome.messages.push({ runId: 'run_1', role: 'assistant', text: '' }),
      ],
      [
        'k: the transcript differs from the answer of the run',
        ({ outcome }) => void Object.assign(outcome.messages[1] ?? {}, { text: 'other' }),
      ],
      ['k: memory has the rows USER in 1 turns', ({ outcome }) => void outcome.memory.pop()],
      [
        'k: call 2: ARGUMENTS_VALIDATED -> SUCCEEDED in ARGUMENTS_VALIDATED',
        ({ outcome }) => {
          const at = outcome.transitions.findIndex((move) => move.invocationId === 'inv_2' && move.to === 'EXECUTING');
          outcome.transitions.splice(at, 1);
          Object.assign(outcome.transitions[at] ?? {}, { from: 'ARGUMENTS_VALIDATED' });
        },
      ],
      ['k: call 0 is SUCCEEDED, its last move went to undefined', ({ outcome }) => void outcome.transitions.splice(0, 5)],
      ['k: call 0: attempt 1 after 1', ({ outcome }) => void Object.assign(outcome.transitions[3] ?? {}, { attempt: 1 })],
      [
        'k: 2 audit rows run.finished for FINISH_OK',
        ({ outcome }) => void outcome.audit.push({ runId: 'run_1', type: 'run.finished', invocationId: null, targetId: 'run_1' }),
      ],
      ['the budget: 2 reservations of runs that are not at work', ({ outcome }) => void Object.assign(outcome.budgets, { leftHeld: 2 })],
      ['the budget: counts 7 tokens; calls took 0', ({ outcome }) => void Object.assign(outcome.budgets, { used: 7 })],
      ['k: 1 summaries on record, 0 told of', ({ outcome }) => void outcome.compactions.push({ runId: 'run_1', path: 'm1' })],
      [
        'k: FINISH_OK with an open approval',
        ({ outcome }) => void outcome.approvals.push({ id: 'apr_1', runId: 'run_1', invocationId: null, state: 'OPEN' }),
      ],
      ['k: 1 audit rows capability.invoked for 2 attempts of call 0', ({ outcome }) => void outcome.audit.splice(1, 1)],
      ['k: a reader got 9 of 10 events', ({ followed }) => void followed[0]?.seqs.pop()],
      ['k: a reader got event 3 after 1', ({ followed }) => void followed[0]?.seqs.splice(1, 1)],
      [
        'run_1:1: the engine still has a segment that is PENDING',
        ({ outcome }) => void outcome.openSegments.push({ id: 'run_1:1', status: 'PENDING' }),
      ],
    ])('%s', (fault, harm) => {
      expect(faultsAfter(harm)).toContain(`broken ${fault}`);
    });

    it('is a text that readers would see twice', () => {
      const faults = faultsAfter(
        (point) => void point.outcome.events.splice(4, 1, { ...first(point.outcome.events), type: 'other', seq: 5 }),
      );
      expect(faults.join()).toContain('the deltas "half an ansdone: k-a');
    });

    it('is a run that starts before the one before it in its session has ended', () => {
      expect(faultsAfter(secondRun(8, 2))).toContain('broken k2: ran beside k');
      expect(faultsAfter(secondRun(10, -5))).toContain('broken k2: overtook a request of its session');
      expect(faultsAfter(secondRun(10, 2)).filter((fault) => fault.startsWith('broken'))).toEqual([]);
    });

    it('is another end than CANCELLED after the stop was answered, and not before', () => {
      expect(faultsAfter(stopAnsweredAt(8))).toContain('broken k: ended as FINISH_OK after its stop was answered with RUNNING: null');
      expect(faultsAfter(stopAnsweredAt(9))).toEqual([]);
    });
  });

  describe('a call that must not run twice', () => {
    it('may ask and wait', () => {
      expect(faultsAfter(cutOff, [ONCE]).filter((fault) => !fault.startsWith('broken'))).toEqual([
        'doubled k-c: ran 2 times, may run 1 times',
      ]);
      const onceOnly = (point: Point) => {
        cutOff(point);
        point.outcome.effects.pop();
      };
      expect(faultsAfter(onceOnly, [ONCE]).filter((fault) => !fault.startsWith('broken'))).toEqual([]);
    });

    it('may run again when that was chosen', () => {
      expect(faultsAfter((point) => asked(point, 'run-again'), [ONCE])).toEqual([]);
    });

    it('fails when it was skipped, and the run ends with what else there is', () => {
      expect(faultsAfter(skipFirst, [ONCE])).toContain('lost k: ended as FINISH_OK instead of FINISH_ERROR: null');
      expect(faultsAfter(skipFirst, [ONCE, STREAM]).filter((fault) => !fault.startsWith('broken'))).toEqual([]);
    });

    it('may be skipped by a later message of the session, and by none that came before the question', () => {
      expect(stepFaultsWithMessageAt(7)).toEqual([]);
      expect(stepFaultsWithMessageAt(5)).toEqual(['lost k: step 0 (test.effect-once) is FAILED instead of SUCCEEDED']);
    });
  });
});
