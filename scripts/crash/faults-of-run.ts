import { choicesFor, type Fault, findCall, isDenied, isEnded, type RunCase } from './fault.ts';
import { answerOf, capabilityOf, wholeAnswerOf } from './workload.ts';

/** Whether the run came to the end that it had to come to, by the steps that were asked for. */
export function faultsOfRun(subject: RunCase): Fault[] {
  const { asked, run, outcome } = subject;
  const fault = (kind: Fault['kind'], what: string): Fault => ({ kind, where: asked.order.key, what });
  const questions = outcome.questions.filter((question) => question.runId === run.id);
  if (asked.stopped) return faultsOfStopped(subject, fault);
  if (run.state === 'WAITING') return faultsOfWaiting(subject, fault);
  if (questions.some((question) => question.state === 'OPEN')) return [fault('broken', `${run.state} with an open question`)];
  if (!isEnded(run)) return [fault('lost', `stands still as ${run.state}, epoch ${run.epoch}`)];

  const denied = asked.order.steps.map((_step, index) => isDenied(subject, findCall(subject, index)));
  const skipped = denied.map((isSo, index) => isSo || choicesFor(subject, findCall(subject, index), 'skip') > 0);
  // A model answers all the same: it is told what was skipped. That somebody said no is no failure.
  const expected = !asked.order.turns && skipped.every(Boolean) && !denied.every(Boolean) ? 'FINISH_ERROR' : 'FINISH_OK';
  if (run.state !== expected) return [fault('lost', `ended as ${run.state} instead of ${expected}: ${run.error}`)];
  return [...faultsOfSteps(subject, skipped, fault), ...faultsOfAnswer(subject, skipped, fault)];
}

type MakeFault = (kind: Fault['kind'], what: string) => Fault;

/** Only a call that must not run twice and was cut off in the middle may ask, and one that a person has to allow. */
function faultsOfWaiting({ run, outcome, calls }: RunCase, fault: MakeFault): Fault[] {
  const approvals = outcome.approvals.filter((approval) => approval.runId === run.id && approval.state === 'OPEN');
  if (approvals.length > 0) return [];
  const open = outcome.questions.filter((question) => question.runId === run.id && question.state === 'OPEN');
  const question = open[0];
  if (!question || open.length > 1) return [fault('lost', `waits with ${open.length} open questions`)];
  const call = calls.find(({ id }) => id === question.invocationId);
  const mayAsk =
    question.kind === 'unknown-outcome' &&
    (call?.capabilityId === 'test.effect-once' || call?.capabilityId === 'test.effect-destructive') &&
    call.state === 'EXECUTING';
  return mayAsk ? [] : [fault('lost', `waits for an answer about ${call?.capabilityId} in ${call?.state}`)];
}

/** A run that had not ended when its stop was answered ends as CANCELLED (known fault K4). */
function faultsOfStopped({ asked, run }: RunCase, fault: MakeFault): Fault[] {
  if (!isEnded(run)) return [fault('lost', `stands still as ${run.state} after a stop`)];
  const endedBefore = run.endedAtMs !== null && asked.stopped !== null && run.endedAtMs <= asked.stopped.answeredAtMs;
  if (run.state === 'CANCELLED' || endedBefore) return [];
  return [fault('broken', `ended as ${run.state} after its stop was answered with ${asked.stopped?.state}: ${run.error}`)];
}

function faultsOfSteps(subject: RunCase, skipped: readonly boolean[], fault: MakeFault): Fault[] {
  const { asked, calls } = subject;
  const faults = asked.order.steps.flatMap((step, index) => {
    const call = findCall(subject, index);
    const label = step.kind === 'stream' ? null : step.label;
    if (!call || call.capabilityId !== capabilityOf(step) || call.label !== label) {
      return [
        fault('lost', `step ${index} should be ${capabilityOf(step)} ${label ?? ''} and is ${call?.capabilityId} ${call?.label ?? ''}`),
      ];
    }
    const expected = skipped[index] ? 'FAILED' : 'SUCCEEDED';
    return call.state === expected ? [] : [fault('lost', `step ${index} (${call.capabilityId}) is ${call.state} instead of ${expected}`)];
  });
  const surplus = calls.filter(({ capabilityId }) => capabilityId !== 'agents.delegate').length - asked.order.steps.length;
  return surplus > 0 ? [...faults, fault('doubled', `${surplus} calls more than steps`)] : faults;
}

/** The answer is known word for word unless a step was skipped; then its failure stands in the text. */
function faultsOfAnswer({ asked, run }: RunCase, skipped: readonly boolean[], fault: MakeFault): Fault[] {
  const parts = asked.order.steps.map(answerOf);
  const answer = run.answer ?? '';
  if (skipped.some(Boolean)) {
    const missing = parts.filter((part, index) => !skipped[index] && !answer.includes(part));
    return missing.map((part) => fault('lost', `the answer lacks ${JSON.stringify(part.slice(0, 60))}`));
  }
  const expected = wholeAnswerOf(asked.order);
  return answer === expected ? [] : [fault('broken', `the answer is ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`)];
}
