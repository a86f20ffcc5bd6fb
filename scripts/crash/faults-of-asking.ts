import { type Fault, isEnded, type RunCase } from './fault.ts';

/** What people decided about the run's calls, and what had left its conversation, against what is on record of that. */
export function faultsOfAsking({ asked, run, outcome }: RunCase): Fault[] {
  const fault = (kind: Fault['kind'], what: string): Fault => ({ kind, where: asked.order.key, what });
  const faults: Fault[] = [];
  for (const { id, state } of outcome.approvals.filter(({ runId }) => runId === run.id)) {
    const decision = asked.decisions.get(id);
    const expected = decision === undefined ? 'OPEN' : decision === 'allow' ? 'APPROVED' : 'DENIED';
    if (state !== expected && state !== 'WITHDRAWN')
      faults.push(fault('lost', `${id} is ${state}; its answer was ${decision ?? 'not given'}`));
    if (state === 'OPEN' && isEnded(run)) faults.push(fault('broken', `${run.state} with an open approval`));
    const rows = outcome.audit.filter(({ type, targetId }) => type === 'approval.decided' && targetId === id).length;
    if (rows !== (state === 'APPROVED' || state === 'DENIED' ? 1 : 0))
      faults.push(fault('broken', `${rows} audit rows about ${id}, which is ${state}`));
  }
  const written = outcome.compactions.filter(({ runId }) => runId === run.id).length;
  const told = outcome.events.filter(({ runId, type }) => runId === run.id && type === 'conversation-compacted').length;
  if (written !== told) faults.push(fault('broken', `${written} summaries on record, ${told} told of`));
  return faults;
}

/** Nothing stays held once nothing is at work, and what is counted as used is what is on record of it. */
export function faultsOfBudgets({ budgets, modelCalls }: Pick<RunCase['outcome'], 'budgets' | 'modelCalls'>): Fault[] {
  const spent = modelCalls.reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    ...(budgets.leftHeld > 0 ? [ofBudget(`${budgets.leftHeld} reservations of runs that are not at work`)] : []),
    ...(budgets.used === spent ? [] : [ofBudget(`counts ${budgets.used} tokens; calls took ${spent}`)]),
  ];
}

function ofBudget(what: string): Fault {
  return { kind: 'broken', where: 'the budget', what };
}
