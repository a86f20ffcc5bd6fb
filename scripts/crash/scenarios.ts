import type { ProductProcess, ServerKind } from './product-process.ts';
import type { Stage } from './stage.ts';
import type { WorkloadShape } from './workload.ts';

/** One way to crash. */
export interface Scenario {
  readonly kind: string;
  readonly server: ServerKind;
  /** True when it kills the database server, which it then needs for itself. */
  readonly killsDatabase: boolean;
  readonly shape: WorkloadShape;
  /** Starts processes, lets them work and crashes them. What is alive at its end must settle everything. */
  readonly play: (stage: Stage) => Promise<void>;
}

const WORK: WorkloadShape = { sessions: 5, oncePercent: 0, stopPercent: 0 };
const WORK_WITH_ONCE: WorkloadShape = { sessions: 5, oncePercent: 30, stopPercent: 0 };
const WORK_MOSTLY_ONCE: WorkloadShape = { sessions: 4, oncePercent: 70, stopPercent: 0 };
const WORK_WITH_STOPS: WorkloadShape = { sessions: 6, oncePercent: 10, stopPercent: 40 };

/** Until the work is under way, and at most until it is nearly done. */
const WORKING: readonly [number, number] = [100, 900];

function scenario(kind: string, play: Scenario['play'], options: Partial<Scenario> = {}): Scenario {
  return { kind, play, server: 'worker', killsDatabase: false, shape: WORK, ...options };
}

async function killOneOfTwo(stage: Stage): Promise<void> {
  const [a] = await Promise.all([stage.start('A'), stage.start('B')]);
  await stage.begin(a);
  await stage.moment(...WORKING);
  await stage.kill(a);
}

async function killTheOnlyOne(stage: Stage): Promise<void> {
  const a = await stage.start('A');
  await stage.begin();
  await stage.moment(...WORKING);
  await stage.kill(a);
  await stage.start('A');
}

async function killBoth(stage: Stage): Promise<void> {
  const [a, b] = await Promise.all([stage.start('A'), stage.start('B')]);
  await stage.begin();
  await stage.moment(...WORKING);
  await Promise.all([stage.kill(a), stage.kill(b)]);
  await stage.start('C');
}

/** A dies, B carries on; A is back when B dies. */
async function killInTurns(stage: Stage): Promise<void> {
  const [a, b] = await Promise.all([stage.start('A'), stage.start('B')]);
  await stage.begin();
  await stage.moment(...WORKING);
  await stage.kill(a);
  await stage.start('A');
  await stage.moment(0, 2_500);
  await stage.kill(b);
}

/** The process that carries runs on dies while it does so, twice. */
async function killDuringRecovery(stage: Stage): Promise<void> {
  let a = await stage.start('A');
  await stage.begin();
  await stage.moment(...WORKING);
  for (let crash = 0; crash < 3; crash += 1) {
    await stage.kill(a);
    a = await stage.start('A');
    if (crash < 2) await stage.moment(900, 2_600);
  }
}

/** A process is stopped as by a long pause, loses its claim to live, and goes on once the other has taken its runs over. */
async function pauseUntilTakenOver(stage: Stage): Promise<void> {
  const a = await stage.start('A');
  const locks = await stage.listLivenessLocks();
  await stage.start('B');
  await stage.begin(a);
  await stage.moment(...WORKING);
  stage.stop(a);
  await stage.breakConnections(locks);
  await stage.moment(1_800, 4_000);
  stage.goOn(a);
  // What it writes now must be refused: it is given the time to do harm.
  await stage.moment(1_500, 1_500);
}

/** A process works on while its way to the database is cut; the other takes over; then the way is back. */
async function cutFromDatabase(stage: Stage): Promise<void> {
  const cable = await stage.layCable();
  const [a] = await Promise.all([stage.start('A', { databaseUrl: cable.url }), stage.start('B')]);
  await stage.begin(a);
  await stage.moment(...WORKING);
  await cable.cut();
  stage.noteCrash();
  await stage.moment(500, 4_500);
  await cable.mend();
  await stage.moment(1_000, 1_000);
}

function killDatabase(how: 'SIGKILL' | 'SIGQUIT'): Scenario['play'] {
  return async (stage) => {
    await Promise.all([stage.start('A'), stage.start('B')]);
    await stage.begin();
    await stage.moment(...WORKING);
    stage.noteCrash();
    await stage.cluster.crash(how);
    await stage.moment(100, 2_500);
    await stage.cluster.restart();
    await stage.moment(0, 1_000);
    // Who listened before must hear what happens now.
    stage.requests.begin();
  };
}

/** As an update does it: SIGTERM, a short drain, and another process that goes on. */
async function drainOneOfTwo(stage: Stage): Promise<void> {
  const [a] = await Promise.all([stage.start('A'), stage.start('B')]);
  await stage.begin(a);
  await stage.moment(...WORKING);
  stage.noteCrash(a);
  a.send('SIGTERM');
  await a.ended;
}

/** Dies at a named place, takes its questions to the next process, and dies again while they are answered. */
async function killWhileAnswered(stage: Stage): Promise<void> {
  let a = await stage.start('A', { faultPoint: `invocation.effect-done:${stage.chance.between(1, 3)}` });
  await stage.begin();
  await untilDead(stage, a);
  a = await stage.start('A');
  await stage.settle();
  const answering = stage.readOutcome().then((outcome) => stage.requests.answerQuestions(outcome));
  await stage.moment(0, 200);
  await stage.kill(a);
  await stage.start('A');
  await answering;
}

/** Dies at a named place while people decide about calls that wait, or right after; the next process carries on. */
function killWhileDeciding(point: string): Scenario['play'] {
  return async (stage) => {
    const first = await stage.start('A');
    await stage.begin();
    await stage.settle();
    await stage.kill(first);
    const armed = await stage.start('A', { faultPoint: `${point}:${stage.chance.between(1, 2)}` });
    const deciding = stage.readOutcome().then((outcome) => stage.requests.decideApprovals(outcome));
    await Promise.race([armed.ended, deciding.then(() => stage.moment(200, 1_000))]);
    // What it passes may be behind it, where few calls were asked about.
    if (armed.hasEnded()) stage.noteCrash(armed);
    else await stage.kill(armed);
    await stage.start('A');
    await deciding;
  };
}

/** Kills itself at the n-th pass of a named place; the other one takes over. */
function dieAt(point: string, mostPasses: number): Scenario['play'] {
  return async (stage) => {
    const a = await stage.start('A', { faultPoint: `${point}:${stage.chance.between(1, mostPasses)}` });
    await stage.start('B');
    await stage.begin(a);
    await untilDead(stage, a);
  };
}

/** The same, alone: the next process over the same data carries on. */
function dieAloneAt(point: string, mostPasses: number): Scenario['play'] {
  return async (stage) => {
    const a = await stage.start('A', { faultPoint: `${point}:${stage.chance.between(1, mostPasses)}` });
    await stage.begin();
    await untilDead(stage, a);
    await stage.start('A');
  };
}

/** Waits until an armed process has killed itself; gives it more to do when it gets through. */
async function untilDead(stage: Stage, process: ProductProcess): Promise<void> {
  for (let wave = 0; wave < 4; wave += 1) {
    const patience = new AbortController();
    const isDead = await Promise.race([process.ended.then(() => true), stage.settle(patience.signal).then(() => false)]);
    patience.abort();
    if (isDead) return stage.noteCrash(process);
    stage.requests.begin(process.address);
  }
  throw new Error('the armed process never passed its fault point');
}

const next = { server: 'next' } as const;

/** Ways to crash what the planner drives, the telling ones first. */
export const PLANNED_SCENARIOS: readonly Scenario[] = [
  scenario('at invocation.effect-done, peer', dieAt('invocation.effect-done', 6)),
  scenario('at invocation.effect-done, alone', dieAloneAt('invocation.effect-done', 6), { shape: WORK_MOSTLY_ONCE }),
  scenario('kill one of two', killOneOfTwo),
  scenario('postgres SIGKILL', killDatabase('SIGKILL'), { killsDatabase: true }),
  scenario('pause until taken over', pauseUntilTakenOver, { shape: WORK_WITH_ONCE }),
  scenario('at invocation.executing, peer', dieAt('invocation.executing', 6), { shape: WORK_MOSTLY_ONCE }),
  scenario('at run.before-finish, peer', dieAt('run.before-finish', 4)),
  scenario('at step.done, alone', dieAloneAt('step.done', 8)),
  scenario('next: kill the only one', killTheOnlyOne, { ...next, shape: WORK_WITH_ONCE }),
  scenario('at run.finished, peer', dieAt('run.finished', 4)),
  scenario('at segment.begun, peer', dieAt('segment.begun', 4)),
  scenario('at run.begun, peer', dieAt('run.begun', 3)),
  scenario('postgres SIGQUIT', killDatabase('SIGQUIT'), { killsDatabase: true, shape: WORK_WITH_ONCE }),
  scenario('next: at invocation.effect-done, peer', dieAt('invocation.effect-done', 6), next),
  scenario('kill the only one', killTheOnlyOne, { shape: WORK_WITH_ONCE }),
  scenario('kill and stops', killOneOfTwo, { shape: WORK_WITH_STOPS }),
  scenario('kill in turns', killInTurns),
  scenario('cut from the database', cutFromDatabase, { shape: WORK_WITH_ONCE }),
  scenario('kill while answered', killWhileAnswered, { shape: WORK_MOSTLY_ONCE }),
  scenario('kill during recovery', killDuringRecovery),
  scenario('next: kill one of two', killOneOfTwo, { ...next, shape: WORK_WITH_STOPS }),
  scenario('at step.done, peer', dieAt('step.done', 8), { shape: WORK_WITH_ONCE }),
  scenario('kill both', killBoth, { shape: WORK_WITH_ONCE }),
  scenario('at segment.begun, alone', dieAloneAt('segment.begun', 4)),
  scenario('drain one of two', drainOneOfTwo),
  scenario('at run.begun, alone', dieAloneAt('run.begun', 3), { shape: WORK_WITH_ONCE }),
  scenario('at run.before-finish, alone', dieAloneAt('run.before-finish', 4), { shape: WORK_WITH_STOPS }),
  scenario('at invocation.executing, alone', dieAloneAt('invocation.executing', 6), { shape: WORK_WITH_ONCE }),
  scenario('at run.finished, alone', dieAloneAt('run.finished', 4), { shape: WORK_WITH_STOPS }),
  scenario('kill alone and stops', killTheOnlyOne, { shape: WORK_WITH_STOPS }),
];

const MODEL: WorkloadShape = { sessions: 4, oncePercent: 15, stopPercent: 0, delegatedPercent: 35 };
const MODEL_MOSTLY_ONCE: WorkloadShape = { ...MODEL, oncePercent: 60 };
const MODEL_WITH_STOPS: WorkloadShape = { ...MODEL, stopPercent: 40 };
const SPECIALISTS_ONLY: WorkloadShape = { ...MODEL, oncePercent: 30, delegatedPercent: 100 };
const TASKS: WorkloadShape = { ...MODEL, oncePercent: 10, handedOnPercent: 80 };
const TASKS_WITH_STOPS: WorkloadShape = { ...TASKS, stopPercent: 40 };
/** Three requests a session, the third of which has no room beside the first two. */
const LONG: WorkloadShape = { ...MODEL, sessions: 3, oncePercent: 0, delegatedPercent: 0, requests: [3, 3], isLong: true };
/** One request a session: another would decline what is asked. */
const ASKING: WorkloadShape = { sessions: 5, oncePercent: 0, stopPercent: 0, destructivePercent: 70, requests: [1, 1] };
const model = (shape: WorkloadShape): Partial<Scenario> => ({ shape });

/**
 * Ways to crash what others take part in: a model, around its calls, in what specialists do and when a conversation has no
 * room; tasks that are handed on; people who are asked. Whatever asks a model does so within a budget, whose account is judged:
 * from `model.calling` to `model.answered` a reservation is held that nobody has settled.
 */
export const SHARED_SCENARIOS: readonly Scenario[] = [
  scenario('model: at model.answered, peer', dieAt('model.answered', 8), model(MODEL)),
  scenario('approvals: asked, at run.waiting, peer', dieAt('run.waiting', 3), { shape: ASKING }),
  scenario('model: specialist at effect-done, alone', dieAloneAt('invocation.effect-done', 6), model(SPECIALISTS_ONLY)),
  scenario('tasks: at tasks.started, peer', dieAt('tasks.started', 3), model(TASKS)),
  scenario('compaction: at compaction.before-write, peer', dieAt('compaction.before-write', 2), model(LONG)),
  scenario('model: at model.part, peer', dieAt('model.part', 60), model(MODEL)),
  scenario('approvals: decided, at approval.decided', killWhileDeciding('approval.decided'), { shape: ASKING }),
  scenario('model: at handoff.answered, peer', dieAt('handoff.answered', 4), model(SPECIALISTS_ONLY)),
  scenario('model: at model.calling, alone', dieAloneAt('model.calling', 10), model(MODEL)),
  scenario('tasks: at task.ended, alone', dieAloneAt('task.ended', 3), model(TASKS)),
  scenario('approvals: resumed, at segment.begun', killWhileDeciding('segment.begun'), { shape: ASKING }),
  scenario('model: kill one of two', killOneOfTwo, model(MODEL)),
  scenario('compaction: at compaction.written, alone', dieAloneAt('compaction.written', 2), model(LONG)),
  scenario('approvals: resumed, at invocation.executing', killWhileDeciding('invocation.executing'), { shape: ASKING }),
  scenario('approvals: kill one of two', killOneOfTwo, { shape: ASKING }),
  scenario('approvals: resumed, at invocation.effect-done', killWhileDeciding('invocation.effect-done'), { shape: ASKING }),
  scenario('compaction: kill one of two', killOneOfTwo, model(LONG)),
  scenario('tasks: at run.waiting, peer', dieAt('run.waiting', 3), model(TASKS)),
  scenario('tasks: kill and stops', killOneOfTwo, model(TASKS_WITH_STOPS)),
  scenario('model: pause until taken over', pauseUntilTakenOver, model(MODEL)),
  scenario('model: kill the only one', killTheOnlyOne, model(MODEL_MOSTLY_ONCE)),
  scenario('model: at model.answered, alone', dieAloneAt('model.answered', 8), model(MODEL_MOSTLY_ONCE)),
  scenario('model: kill and stops', killOneOfTwo, model(MODEL_WITH_STOPS)),
  scenario('next: model: kill one of two', killOneOfTwo, { ...next, ...model(MODEL) }),
  scenario('model: specialist at executing, peer', dieAt('invocation.executing', 6), model(SPECIALISTS_ONLY)),
  scenario('model: kill during recovery', killDuringRecovery, model(MODEL)),
  scenario('model: cut from the database', cutFromDatabase, model(MODEL)),
  scenario('model: postgres SIGKILL', killDatabase('SIGKILL'), { killsDatabase: true, ...model(MODEL) }),
  scenario('model: kill while answered', killWhileAnswered, model(MODEL_MOSTLY_ONCE)),
  scenario('model: at handoff.answered, alone', dieAloneAt('handoff.answered', 4), model(SPECIALISTS_ONLY)),
  scenario('model: at model.calling, peer', dieAt('model.calling', 10), model(MODEL_WITH_STOPS)),
  scenario('model: kill both', killBoth, model(MODEL)),
  scenario('model: at run.before-finish, peer', dieAt('run.before-finish', 4), model(MODEL)),
];

/** Every second point is one that others take part in. */
const SHARED = 2;

/** What point n (from 0) plays: each kind in rounds. */
export function scenarioOf(point: number): Scenario {
  const isShared = point % SHARED === SHARED - 1;
  const [list, nth] = isShared ? [SHARED_SCENARIOS, Math.floor(point / SHARED)] : [PLANNED_SCENARIOS, point - Math.floor(point / SHARED)];
  const found = list[nth % list.length];
  if (!found) throw new Error('there are no scenarios');
  return found;
}
