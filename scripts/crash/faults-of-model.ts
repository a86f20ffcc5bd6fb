import type { Fault, RunCase } from './fault.ts';

/** The path of a call that wrote what had left a conversation. */
const SUMMARY = /\/(?:summary|progress)\d*(?:\/|$)/u;

/**
 * What the model was asked, against what the run has on record: no answer is lost, none is on record twice, and what is on
 * record is not asked for again.
 */
export function faultsOfModel(subject: RunCase): Fault[] {
  const { asked, run, outcome } = subject;
  const { turns, key } = asked.order;
  if (!turns) return [];
  const events = outcome.events.filter((event) => event.runId === run.id);
  const recorded = outcome.modelCalls.filter((call) => call.runId === run.id).map(({ path }) => path);
  const answered = events.filter((event) => event.type === 'model-call');
  const audited = outcome.audit.filter((row) => row.runId === run.id && row.type === 'model.called').length;
  const fault = (kind: Fault['kind'], what: string): Fault => ({ kind, where: key, what });
  const faults: Fault[] = [];

  const expected = turns.reduce((sum, turn) => sum + 1 + (turn.isDelegated ? turn.calls.length + 1 : 0), 1);
  const said = recorded.filter((path) => !SUMMARY.test(path)).length;
  if (run.state === 'FINISH_OK' && said !== expected)
    faults.push(fault('lost', `${said} answers of the model on record instead of ${expected}`));
  if (answered.length !== recorded.length || audited !== recorded.length)
    faults.push(fault('broken', `${recorded.length} answers of the model, ${answered.length} events and ${audited} audit rows of them`));
  const handoffs = turns.filter((turn) => turn.isDelegated).length;
  const returned = events.filter((event) => event.type === 'handoff-answered').length;
  if (run.state === 'FINISH_OK' && returned !== handoffs)
    faults.push(fault('broken', `${returned} of ${handoffs} hand-offs have returned`));

  for (const path of new Set(outcome.asks.filter((ask) => ask.key === key).map((ask) => ask.path))) {
    const count = outcome.asks.filter((ask) => ask.key === key && ask.path === path).length;
    const recordedAtSeq = answered.find((event) => event.payload.path === path)?.seq ?? Number.POSITIVE_INFINITY;
    // A driver asks once, and only one that began before the answer was on record may ask at all.
    const drivers = events.filter(
      (event) => event.type === 'run-state' && event.payload.to === 'RUNNING' && event.seq < recordedAtSeq,
    ).length;
    if (count > drivers) faults.push(fault('doubled', `${path} was asked ${count} times by ${drivers} drivers`));
  }
  return faults;
}
