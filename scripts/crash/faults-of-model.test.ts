import { describe, expect, it } from 'vitest';
import { aGoodPoint, type Point } from './a-good-point.ts';
import { findFaults } from './find-faults.ts';
import type { Effect, Turn } from './workload.ts';

const A: Effect = { kind: 'keyed', label: 'k-a0' };
const B: Effect = { kind: 'once', label: 'k-b0' };
const TURNS: readonly Turn[] = [
  { says: '', calls: [A], isDelegated: false, isHandedOn: false },
  { says: '', calls: [B], isDelegated: true, isHandedOn: false },
];
/** Two turns and the answer; of the specialist a call and its answer. */
const PATHS = [
  'platform_supervisor/m0',
  'platform_supervisor/m1',
  'platform_supervisor/m1/t0/calculations/m0',
  'platform_supervisor/m1/t0/calculations/m1',
  'platform_supervisor/m2',
];

/** A run that a model drove through a crash, with nothing wrong; then `harm`. */
function faultsAfter(harm: (point: Point) => void): string[] {
  const point = aGoodPoint([A, B]);
  const [asked, run] = [point.asked[0], point.outcome.runs[0]];
  if (!asked || !run) throw new Error('there is no run');
  const answer = 'done: k-a0\ndone: k-b0';
  Object.assign(asked.order, { turns: TURNS });
  const [begun, ended] = [point.outcome.events.slice(0, 5), point.outcome.events.slice(-2)];
  const events = [
    ...begun,
    { type: 'text-delta', payload: { step: 2, text: answer } },
    ...PATHS.map((path) => ({ type: 'model-call', payload: { path } })),
    { type: 'handoff-answered', payload: {} },
    ...ended,
  ];
  point.outcome.events = events.map((event, index) => ({ runId: run.id, atMs: index, ...event, seq: index + 1 }));
  Object.assign(run, { answer, eventSeq: events.length });
  Object.assign(point.outcome.messages[1] ?? {}, { text: answer });
  point.outcome.modelCalls = PATHS.map((path) => ({ runId: run.id, path, tokens: 10 }));
  point.outcome.budgets = { leftHeld: 0, used: 10 * PATHS.length };
  point.outcome.asks = [...PATHS, 'platform_supervisor/m0'].map((path) => ({ key: 'k', path }));
  point.outcome.audit.push(...PATHS.map(() => ({ runId: run.id, type: 'model.called', invocationId: null, targetId: run.id })));
  point.followed = [{ runId: run.id, seqs: events.map((_event, index) => index + 1), connections: ['http://a'], isEnded: true }];
  harm(point);
  return findFaults(point).map(({ kind, where, what }) => `${kind} ${where}: ${what}`);
}

/** One answer is neither on record nor counted. */
function loseAnswer({ outcome }: Point): void {
  outcome.modelCalls.pop();
  outcome.budgets = { leftHeld: 0, used: 10 * outcome.modelCalls.length };
}

const again = (path: string) => (point: Point) => void point.outcome.asks.push({ key: 'k', path });

const recordedBeforeTakeover = (point: Point) => {
  const call = point.outcome.events.findIndex((event) => event.payload.path === 'platform_supervisor/m0');
  const [moved] = point.outcome.events.splice(call, 1);
  if (moved) point.outcome.events.splice(2, 0, moved);
  for (const [index, event] of point.outcome.events.entries()) event.seq = index + 1;
};

const lost = ({ outcome }: Point) =>
  void Object.assign(outcome.events.find(({ type }) => type === 'handoff-answered') ?? {}, { type: 'x' });

describe('faults of a run that a model drove', () => {
  it('are none when every answer is on record once and a driver asked for it once', () => {
    expect(faultsAfter(() => undefined)).toEqual([]);
  });

  it('are an answer that is missing, and one that left no trace in the log', () => {
    expect(faultsAfter(loseAnswer)).toEqual([
      'lost k: 4 answers of the model on record instead of 5',
      'broken k: 4 answers of the model, 5 events and 5 audit rows of them',
    ]);
    expect(faultsAfter(({ outcome }) => void outcome.audit.pop())).toEqual([
      'broken k: 5 answers of the model, 5 events and 4 audit rows of them',
    ]);
  });

  it('are more questions than drivers that could ask them', () => {
    expect(faultsAfter(again('platform_supervisor/m1'))).toEqual([]);
    expect(faultsAfter(again('platform_supervisor/m0'))).toEqual(['doubled k: platform_supervisor/m0 was asked 3 times by 2 drivers']);
  });

  it('are a driver that asks for what was on record when it began', () => {
    expect(faultsAfter(recordedBeforeTakeover)).toEqual(['doubled k: platform_supervisor/m0 was asked 2 times by 1 drivers']);
  });

  it('are a hand-off that never returned', () => {
    expect(faultsAfter(lost)).toEqual(['broken k: 0 of 1 hand-offs have returned']);
  });
});
