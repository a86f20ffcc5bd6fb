import { describe, expect, it } from 'vitest';
import { recoveryOf } from './recovery.ts';
import type { PointResult } from './run-point.ts';
import { PLANNED_SCENARIOS, SHARED_SCENARIOS, scenarioOf } from './scenarios.ts';
import { seededChance, seedOfPoint } from './seeded-chance.ts';
import { lineOf, percentile, summarise, tableOf } from './summary.ts';
import { drawOrders, type Step } from './workload.ts';

const result = (overrides: Partial<PointResult>): PointResult => ({
  number: 1,
  kind: 'kill one of two',
  seed: 7,
  recoveryMs: 2_000,
  settledMs: 3_000,
  runs: 10,
  takenOver: 2,
  effects: 20,
  questions: 1,
  modelCalls: 0,
  faults: [],
  ...overrides,
});

const takenOver = (atMs: number) => ({ runId: 'r', seq: 1, type: 'run-state', atMs, payload: { reason: 'taken over' } });
/** What tells a step from another. */
const heardBy = (step: Step) => (step.kind === 'stream' ? `${step.chunks} chunks` : `${step.kind} ${step.label}`);
const drawn = (seed: number) => drawOrders('p', { sessions: 4, oncePercent: 20, stopPercent: 20 }, seededChance(seed));

describe('percentile', () => {
  it('takes the nearest rank', () => {
    const values = Array.from({ length: 20 }, (_, index) => 20 - index);
    expect([50, 95, 100].map((percent) => percentile(values, percent))).toEqual([10, 19, 20]);
    expect(percentile([], 50)).toBeNull();
    expect(percentile([7], 95)).toBe(7);
  });
});

describe('summarise', () => {
  it('counts points that failed once, their faults each, and leaves out what no crash cut off', () => {
    const faults = [
      { kind: 'lost', where: 'a', what: 'b' },
      { kind: 'doubled', where: 'a', what: 'c' },
      { kind: 'doubled', where: 'a', what: 'd' },
    ] as const;
    const summary = summarise([result({}), result({ number: 2, faults }), result({ number: 3, recoveryMs: null, settledMs: 9_000 })]);
    expect(summary).toMatchObject({ points: 3, passed: 2, failed: 1, runs: 30, lost: 1, doubled: 2, broken: 0 });
    expect(summary.recoveryMs).toEqual({ p50: 2_000, p95: 2_000, max: 2_000 });
    expect(summary.settledMs).toEqual({ p50: 3_000, p95: 9_000, max: 9_000 });
    expect(tableOf(summary)).toContain('doubled   2');
  });

  it('says in a line which point failed', () => {
    expect(lineOf(result({}))).toMatch(/^✓ {3}1 kill one of two .*seed 7 .*recovered 2000 ms {2}settled 3000 ms/);
    expect(lineOf(result({ recoveryMs: null, faults: [{ kind: 'lost', where: 'a', what: 'b' }] }))).toMatch(/^✗.*recovered {7}-/);
  });
});

describe('recoveryOf', () => {
  it('is the longest wait of a run that was cut off, from the crash that cut it off', () => {
    expect(recoveryOf([takenOver(1_500), takenOver(5_200)], [1_000, 5_000])).toBe(500);
    expect(recoveryOf([{ ...takenOver(1_500), payload: { reason: 'started' } }], [1_000])).toBeNull();
  });
});

describe('a point', () => {
  it('is drawn alike from the same seed, and otherwise from its neighbour’s', () => {
    expect(drawn(seedOfPoint(1, 4))).toEqual(drawn(seedOfPoint(1, 4)));
    expect(drawn(seedOfPoint(1, 4))).not.toEqual(drawn(seedOfPoint(1, 5)));
    const labels = drawn(seedOfPoint(1, 4)).flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'stream' ? [] : [step.label])));
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('asks for nothing twice in a request: the planner would do it once', () => {
    const requests = Array.from({ length: 200 }, (_, point) => drawn(seedOfPoint(7, point))).flat();
    const repeated = requests.filter(({ steps }) => new Set(steps.map(heardBy)).size < steps.length);
    expect(repeated).toEqual([]);
  });

  it('plays every kind, and what others take part in at every second point', () => {
    const kinds = Array.from({ length: 400 }, (_, point) => scenarioOf(point).kind);
    for (const { kind } of [...PLANNED_SCENARIOS, ...SHARED_SCENARIOS]) expect(kinds).toContain(kind);
    expect(kinds.filter((kind) => /\b(?:model|tasks|approvals|compaction): /u.test(kind))).toHaveLength(200);
  });

  it('has its way to crash among the first 25: every named place, Postgres, a pause and the product’s own server', () => {
    const kinds = Array.from({ length: 25 }, (_, point) => scenarioOf(point).kind);
    for (const place of [
      'run.begun',
      'segment.begun',
      'invocation.executing',
      'invocation.effect-done',
      'step.done',
      'run.before-finish',
      'run.finished',
      'model.calling',
      'model.part',
      'model.answered',
      'specialist at effect-done',
      'handoff.answered',
      'tasks.started',
      'task.ended',
      'compaction.before-write',
      'run.waiting',
      'approval.decided',
      'resumed, at segment.begun',
    ]) {
      expect(kinds.some((kind) => kind.includes(place))).toBe(true);
    }
    for (const kind of [
      'model: kill one of two',
      'postgres SIGKILL',
      'postgres SIGQUIT',
      'pause until taken over',
      'next: kill the only one',
    ])
      expect(kinds).toContain(kind);
  });
});
