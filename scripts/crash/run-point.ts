import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '#lib/kernel/index.ts';
import type { EffectsProcess } from './effects-process.ts';
import type { Fault } from './fault.ts';
import { findFaults } from './find-faults.ts';
import type { Outcome } from './outcome.ts';
import { recoveryOf } from './recovery.ts';
import type { Scenario } from './scenarios.ts';
import type { ScratchCluster } from './scratch-cluster.ts';
import { seededChance } from './seeded-chance.ts';
import { Stage } from './stage.ts';

/** Rounds of questions and approvals: a run with two calls that must not run twice may ask twice. */
const ROUNDS_OF_QUESTIONS = 4;
const POINT_LIMIT_MS = 150_000;

export interface PointResult {
  readonly number: number;
  readonly kind: string;
  readonly seed: number;
  /** From the crash to the last cut-off run being carried on again; null when the crash cut none off. */
  readonly recoveryMs: number | null;
  /** From the crash until everything had settled, the work itself included. */
  readonly settledMs: number;
  readonly runs: number;
  readonly takenOver: number;
  readonly effects: number;
  readonly questions: number;
  /** What the model was asked, repeats included. */
  readonly modelCalls: number;
  readonly faults: readonly Fault[];
}

/** Plays one point and judges what it left behind. Never throws: what goes wrong on the way is a fault of the point. */
export async function runPoint(point: {
  number: number;
  seed: number;
  scenario: Scenario;
  cluster: ScratchCluster;
  effects: EffectsProcess;
  /** Holds the logs of its processes and, when it fails, everything it left behind. */
  folder: string;
}): Promise<PointResult> {
  const { number, seed, scenario, folder } = point;
  mkdirSync(folder, { recursive: true });
  const verdict = await play(point).catch((error: unknown) => brokenOff(error));
  const { outcome, faults } = verdict;
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else writeFileSync(path.join(folder, 'evidence.json'), JSON.stringify({ kind: scenario.kind, seed, ...verdict }, null, 2));
  return {
    number,
    kind: scenario.kind,
    seed,
    recoveryMs: outcome ? recoveryOf(outcome.events, verdict.crashesAtMs) : null,
    settledMs: verdict.settledMs,
    runs: outcome?.runs.length ?? 0,
    takenOver: outcome?.events.filter((event) => event.payload.reason === 'taken over').length ?? 0,
    effects: outcome?.effects.length ?? 0,
    questions: outcome?.questions.length ?? 0,
    modelCalls: outcome?.asks.length ?? 0,
    faults,
  };
}

interface Verdict {
  readonly faults: readonly Fault[];
  readonly crashesAtMs: readonly number[];
  readonly settledMs: number;
  readonly outcome: Outcome | null;
  readonly asked: readonly unknown[];
  readonly followed: readonly unknown[];
}

function brokenOff(error: unknown): Verdict {
  const what = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return { faults: [{ kind: 'lost', where: 'the point', what }], crashesAtMs: [], settledMs: 0, outcome: null, asked: [], followed: [] };
}

async function play({ number, seed, scenario, cluster, effects, folder }: Parameters<typeof runPoint>[0]): Promise<Verdict> {
  const chance = seededChance(seed);
  const { server, shape } = scenario;
  const stage = await Stage.open({ name: `p${number}`, server, shape, chance, cluster, effects, folder });
  const limit = timeLimit();
  try {
    return await Promise.race([playOn(stage, scenario), limit.passed]);
  } finally {
    limit.clear();
    await stage.close();
  }
}

async function playOn(stage: Stage, scenario: Scenario): Promise<Verdict> {
  await scenario.play(stage);
  const isSettled = await stage.settle();
  const settledMs = Date.now() - (stage.crashesAtMs.at(-1) ?? Date.now());
  let outcome = await stage.readOutcome();
  for (let round = 0; round < ROUNDS_OF_QUESTIONS; round += 1) {
    const answered = await stage.requests.answerQuestions(outcome);
    if (answered + (await stage.requests.decideApprovals(outcome)) === 0) break;
    await stage.settle();
    outcome = await stage.readOutcome();
  }
  const followed = await stage.followed();
  const { asked, errors } = stage.requests;
  const faults: Fault[] = [
    ...(isSettled ? [] : [{ kind: 'lost', where: 'the point', what: 'had not settled after 30 s' } as const]),
    ...errors.map((what): Fault => ({ kind: 'broken', where: 'a client', what })),
    ...stage.modelSurprises.map((what): Fault => ({ kind: 'broken', where: 'the model', what })),
    ...(await stage.listUnexpectedEnds()).map((what): Fault => ({ kind: 'broken', where: 'a process', what: `ended by itself: ${what}` })),
    ...findFaults({ asked, outcome, followed }),
  ];
  const told = asked.map((one) => ({ ...one, message: one.order.steps, choices: [...one.choices], decisions: [...one.decisions] }));
  return { faults, crashesAtMs: stage.crashesAtMs, settledMs, outcome, asked: told, followed };
}

function timeLimit(): { passed: Promise<never>; clear: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`the point did not end within ${POINT_LIMIT_MS / 1000} s`)), POINT_LIMIT_MS);
  return { passed: promise, clear: () => clearTimeout(timer) };
}
