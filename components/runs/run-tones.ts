import type { Tone } from '#components/ui/state-glyph.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';
import type { InvocationState, InvocationView, PlanView, RunState, RunSummaryView, StageView } from '#lib/supervisor/contract.ts';

const RUN_TONES: { readonly [State in RunState]: Tone } = {
  QUEUED: 'queued',
  RUNNING: 'active',
  WAITING: 'waiting',
  FINISH_OK: 'ok',
  FINISH_ERROR: 'error',
  TIMEOUT: 'warn',
  CANCELLED: 'stopped',
};

const INVOCATION_TONES: { readonly [State in InvocationState]: Tone } = {
  REQUESTED: 'queued',
  ARGUMENTS_VALIDATED: 'queued',
  EXECUTING: 'active',
  RETRY_WAIT: 'warn',
  SUCCEEDED: 'ok',
  FAILED: 'error',
};

export function runTone(state: RunState): Tone {
  return RUN_TONES[state];
}

export function invocationTone(state: InvocationState): Tone {
  return INVOCATION_TONES[state];
}

export type SessionStanding = 'running' | 'waiting' | 'failed' | 'stopped' | 'done' | 'empty';

const STANDING_TONES: { readonly [Standing in SessionStanding]: Tone } = {
  running: 'active',
  waiting: 'waiting',
  failed: 'error',
  stopped: 'stopped',
  done: 'ok',
  empty: 'idle',
};

/** What a chat's newest run means to its reader. */
export function sessionStanding(session: Pick<SessionView, 'state' | 'lastRun'>): SessionStanding {
  if (session.state === 'WAITING_USER' || session.lastRun?.state === 'WAITING') return 'waiting';
  if (session.state === 'PLANNING' || session.state === 'EXECUTING') return 'running';
  switch (session.lastRun?.state) {
    case undefined:
      return 'empty';
    case 'QUEUED':
    case 'RUNNING':
      return 'running';
    case 'CANCELLED':
      return 'stopped';
    case 'FINISH_OK':
      return 'done';
    default:
      return 'failed';
  }
}

export function standingTone(standing: SessionStanding): Tone {
  return STANDING_TONES[standing];
}

interface RunAnatomy {
  state: RunState;
  plan: PlanView | null;
  invocations: readonly Pick<InvocationView, 'step' | 'state'>[];
}

/** One tone for each step of a run, in order: what its last call came to, else how far the run is. */
export function stepTones({ state, plan, invocations }: RunAnatomy): Tone[] {
  if (plan?.stages) return stageTones(plan.stages, state);
  const highest = Math.max(0, ...invocations.map(({ step }) => step + 1));
  const count = Math.max(plan?.steps.length ?? 0, highest);
  if (count === 0) return [runTone(state)];
  return Array.from({ length: count }, (_, step) => {
    const call = invocations.findLast((invocation) => invocation.step === step);
    if (!call) return 'idle';
    if (state === 'WAITING' && call.state === 'EXECUTING') return 'waiting';
    if (state === 'CANCELLED' && invocationTone(call.state) !== 'ok' && call.state !== 'FAILED') return 'stopped';
    return invocationTone(call.state);
  });
}

/** How many steps there are to tell: the stages that a pipeline takes, else what is planned. */
export function stepCountOf(plan: PlanView | null): number {
  return plan?.stages ? plan.stages.filter(({ state }) => state !== 'skipped').length : (plan?.steps.length ?? 0);
}

/** Of a run that a pipeline answers: one tone for each stage it takes; the one at work has the run's. */
function stageTones(stages: readonly StageView[], state: RunState): Tone[] {
  const taken = stages.filter((stage) => stage.state !== 'skipped');
  const current = taken.findIndex((stage) => stage.state === 'waiting');
  return taken.map((stage, index) => (stage.state === 'done' ? 'ok' : index === current ? runTone(state) : 'idle'));
}

/** As `stepTones`, from a list's figures, which say how many calls ended how but not in which order. */
export function summaryTones(run: Pick<RunSummaryView, 'state' | 'stepCount' | 'callsSucceeded' | 'callsFailed'>): Tone[] {
  const { callsSucceeded, callsFailed } = run;
  const count = Math.max(run.stepCount, callsSucceeded + callsFailed);
  if (count === 0) return [runTone(run.state)];
  return Array.from({ length: count }, (_, step) => {
    if (step < callsSucceeded) return 'ok';
    if (step < callsSucceeded + callsFailed) return 'error';
    // A pipeline has stages without a call.
    if (run.state === 'FINISH_OK') return 'ok';
    const isNext = step === callsSucceeded + callsFailed;
    return isNext && (run.state === 'RUNNING' || run.state === 'WAITING') ? runTone(run.state) : 'idle';
  });
}
