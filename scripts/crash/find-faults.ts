import { type Asked, type Fault, isEnded, type RunCase } from './fault.ts';
import { faultsOfAsking, faultsOfBudgets } from './faults-of-asking.ts';
import { faultsOfEffects } from './faults-of-effects.ts';
import { faultsOfLog } from './faults-of-log.ts';
import { faultsOfModel } from './faults-of-model.ts';
import { faultsOfRun } from './faults-of-run.ts';
import type { Followed } from './follow-run.ts';
import type { Outcome, OutcomeRun } from './outcome.ts';
import { messageOf, ownOrder, taskOrders } from './workload.ts';

/**
 * Everything that is wrong with what a point left behind, given what was asked: nothing lost, nothing doubled, and a record
 * that holds together. An empty list is the proof that the point passed.
 */
export function findFaults(point: { asked: readonly Asked[]; outcome: Outcome; followed: readonly Followed[] }): Fault[] {
  const { asked, outcome, followed } = point;
  return [
    ...asked.flatMap((one) => faultsOfOrder(one, outcome)),
    ...faultsOfStrangers(asked, outcome),
    ...faultsOfLines(outcome),
    ...faultsOfBudgets(outcome),
    ...followed.flatMap((one) => faultsOfReader(one, outcome)),
    ...outcome.openSegments.map(
      ({ id, status }): Fault => ({ kind: 'broken', where: id, what: `the engine still has a segment that is ${status}` }),
    ),
  ];
}

/** Every accepted request has exactly one run, whatever was sent again. */
function faultsOfOrder(asked: Asked, outcome: Outcome): Fault[] {
  const { key } = asked.order;
  const named = new Set(asked.runIds);
  if (named.size === 0) return [{ kind: 'lost', where: key, what: 'was never accepted' }];
  if (named.size > 1) return [{ kind: 'doubled', where: key, what: `was answered with the runs ${[...named].join(', ')}` }];
  const runs = outcome.runs.filter((run) => run.idempotencyKey === key);
  const run = runs.find(({ id }) => named.has(id));
  if (!run) return [{ kind: 'lost', where: key, what: `was answered with ${[...named][0]}, which is not there` }];
  if (runs.length > 1) return [{ kind: 'doubled', where: key, what: `has ${runs.length} runs` }];
  return [
    ...faultsOfCase({ ...asked, order: ownOrder(asked.order) }, run, outcome),
    ...taskOrders(asked.order).flatMap((order) => faultsOfTask({ ...asked, order }, run, outcome)),
  ];
}

function faultsOfCase(asked: Asked, run: OutcomeRun, outcome: Outcome): Fault[] {
  const subject: RunCase = { asked, run, outcome, calls: outcome.invocations.filter((call) => call.runId === run.id) };
  return [
    ...faultsOfRun(subject),
    ...faultsOfEffects(subject),
    ...faultsOfLog(subject),
    ...faultsOfModel(subject),
    ...faultsOfAsking(subject),
  ];
}

/** Every task has one run, which is held to all that a run is held to; one that was stopped may not have come so far. */
function faultsOfTask(asked: Asked, parent: OutcomeRun, outcome: Outcome): Fault[] {
  const { key } = asked.order;
  const runs = outcome.runs.filter(({ parentRunId, input }) => parentRunId === parent.id && input === messageOf(asked.order));
  const [run] = runs;
  if (!run) return parent.state === 'FINISH_OK' ? [{ kind: 'lost', where: key, what: 'a task without a run' }] : [];
  if (runs.length > 1) return [{ kind: 'doubled', where: key, what: `a task with ${runs.length} runs` }];
  return faultsOfCase(asked, run, outcome);
}

function faultsOfStrangers(asked: readonly Asked[], outcome: Outcome): Fault[] {
  const keys = new Set(asked.map(({ order }) => order.key));
  const tasks = new Set(asked.flatMap(({ order }) => taskOrders(order)).map(messageOf));
  const labels = new Set(asked.flatMap(({ order }) => order.steps.map((step) => (step.kind === 'stream' ? '' : step.label))));
  return [
    ...outcome.runs
      .filter((run) => (run.parentRunId === null ? !keys.has(run.idempotencyKey ?? '') : !tasks.has(run.input)))
      .map((run): Fault => ({ kind: 'doubled', where: run.id, what: 'a run that nobody asked for' })),
    ...outcome.effects
      .filter((effect) => !labels.has(effect.label))
      .map((effect): Fault => ({ kind: 'doubled', where: effect.label, what: 'an effect that nobody asked for' })),
  ];
}

/** A session is one line: no run starts before the one before it has ended, and turns are numbered without a gap. */
function faultsOfLines(outcome: Outcome): Fault[] {
  const faults: Fault[] = [];
  const waited = new Set([...outcome.questions, ...outcome.approvals].map(({ runId }) => runId));
  for (const sessionId of new Set(outcome.runs.map((run) => run.sessionId))) {
    // A run that waits for a person lets those behind it pass.
    const line = outcome.runs.filter((run) => run.sessionId === sessionId && run.startedAtMs !== null && !waited.has(run.id));
    line.sort((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0));
    for (const [index, run] of line.entries()) {
      const before = line[index - 1];
      if (before && overlaps(before, run))
        faults.push({ kind: 'broken', where: run.idempotencyKey ?? run.id, what: `ran beside ${before.idempotencyKey}` });
      if (before && before.createdAtMs > run.createdAtMs)
        faults.push({ kind: 'broken', where: run.idempotencyKey ?? run.id, what: `overtook a request of its session` });
    }
    const turns = [...new Set(outcome.memory.filter((row) => row.sessionId === sessionId).map((row) => row.turnSeq))].sort((a, b) => a - b);
    if (turns.some((turn, index) => turn !== index + 1))
      faults.push({ kind: 'broken', where: sessionId, what: `its turns are ${turns.join(', ')}` });
  }
  return faults;
}

function overlaps(before: OutcomeRun, run: OutcomeRun): boolean {
  return before.endedAtMs !== null && run.startedAtMs !== null && run.startedAtMs < before.endedAtMs;
}

/** A reader has every event once and in order, however often the connection broke. */
function faultsOfReader(followed: Followed, outcome: Outcome): Fault[] {
  const run = outcome.runs.find(({ id }) => id === followed.runId);
  if (!run || !isEnded(run)) return [];
  const where = run.idempotencyKey ?? run.id;
  const wrong = followed.seqs.findIndex((seq, index) => seq !== index + 1);
  if (wrong >= 0) return [{ kind: 'broken', where, what: `a reader got event ${followed.seqs[wrong]} after ${wrong}` }];
  if (!followed.isEnded || followed.seqs.length !== run.eventSeq) {
    return [{ kind: 'broken', where, what: `a reader got ${followed.seqs.length} of ${run.eventSeq} events` }];
  }
  return [];
}
