import { choicesFor, type Fault, findCall, isDenied, type RunCase } from './fault.ts';

/** An effect on its way when the stop was answered may still arrive: the effects process waits before it records. */
const ON_ITS_WAY_MS = 250;

/** What the effects process counted, against what each kind of step allows. */
export function faultsOfEffects(subject: RunCase): Fault[] {
  const { asked, run, outcome } = subject;
  return asked.order.steps.flatMap((step, index) => {
    if (step.kind === 'stream') return [];
    const fault = (kind: Fault['kind'], what: string): Fault => ({ kind, where: step.label, what });
    const effects = outcome.effects.filter((effect) => effect.label === step.label);
    const call = findCall(subject, index);
    const faults: Fault[] = [];
    if (call?.state === 'SUCCEEDED' && effects.length === 0) faults.push(fault('lost', 'succeeded without its effect'));
    const strangers = effects.filter((effect) => effect.runId !== run.id);
    if (strangers.length > 0) faults.push(fault('doubled', `run by ${strangers.map((effect) => effect.runId).join(', ')} as well`));
    const keys = new Set(effects.map((effect) => effect.key));
    if (keys.size > 1) faults.push(fault('doubled', `${step.kind} with ${keys.size} keys: ${[...keys].join(', ')}`));
    if (step.kind === 'destructive') {
      const isAllowed = outcome.approvals.some(({ invocationId, state }) => invocationId === call?.id && state === 'APPROVED');
      if (effects.length > 0 && !isAllowed) faults.push(fault('doubled', 'ran though nobody had allowed it'));
      if (call?.state === 'SUCCEEDED' && isDenied(subject, call)) faults.push(fault('broken', 'succeeded though somebody said no'));
    }
    if (step.kind === 'once' || step.kind === 'destructive') {
      const allowed = 1 + choicesFor(subject, call, 'run-again');
      if (effects.length > allowed) faults.push(fault('doubled', `ran ${effects.length} times, may run ${allowed} times`));
    }
    // What changes something is on record before it acts (known fault K30 for the call of a fenced process as well).
    if (step.kind !== 'read' && effects.length > (call?.attempt ?? 0)) {
      faults.push(fault('doubled', `${effects.length} effects, ${call?.attempt ?? 0} attempts on record`));
    }
    const stoppedAtMs = asked.stopped?.answeredAtMs ?? Number.POSITIVE_INFINITY;
    if (step.kind !== 'read' && effects.some((effect) => effect.atMs > stoppedAtMs + ON_ITS_WAY_MS)) {
      faults.push(fault('doubled', 'ran after the stop was answered'));
    }
    return faults;
  });
}
