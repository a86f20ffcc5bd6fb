import type { Outcome, OutcomeInvocation, OutcomeQuestion, OutcomeRun } from './outcome.ts';
import type { Order } from './workload.ts';

/**
 * `lost`: something that was accepted did not come to its end. `doubled`: something happened twice that may happen once.
 * `broken`: the record is not what it promises to be.
 */
export type FaultKind = 'lost' | 'doubled' | 'broken';

export interface Fault {
  readonly kind: FaultKind;
  /** The order's key, or what else the fault is about. */
  readonly where: string;
  readonly what: string;
}

/** An order as it went from the client's side. */
export interface Asked {
  readonly order: Order;
  readonly sessionId: string;
  /** The run that each answer named: every attempt must name the same. */
  readonly runIds: readonly string[];
  /** When the stop was answered, and with which state; null when none was asked for. */
  readonly stopped: { readonly answeredAtMs: number; readonly state: string } | null;
  /** What was chosen for the run's questions, by question. */
  readonly choices: ReadonlyMap<string, 'run-again' | 'skip'>;
  /** What was decided about the run's calls, by approval. */
  readonly decisions: ReadonlyMap<string, 'allow' | 'deny'>;
}

/** What a check of one run looks at. */
export interface RunCase {
  readonly asked: Asked;
  readonly run: OutcomeRun;
  readonly outcome: Outcome;
  readonly calls: readonly OutcomeInvocation[];
}

export const TERMINAL: readonly string[] = ['FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'];

export function isEnded(run: OutcomeRun): boolean {
  return TERMINAL.includes(run.state);
}

/** The call of a step. Calls that a model makes beside each other are numbered as they come, so those are known by their label. */
export function findCall({ asked, calls }: RunCase, index: number): OutcomeInvocation | undefined {
  const step = asked.order.steps[index];
  if (!asked.order.turns || step?.kind === 'stream') return calls.find((call) => call.step === index);
  return calls.find((call) => call.label === step?.label);
}

/** How often the run's questions about this call were answered so, by a choice or by a later message that declined it. */
export function choicesFor({ asked, run, outcome }: RunCase, call: OutcomeInvocation | undefined, choice: 'run-again' | 'skip'): number {
  return outcome.questions.filter(
    (question) => question.invocationId === call?.id && (asked.choices.get(question.id) ?? declined(question, run, outcome)) === choice,
  ).length;
}

/** Whether somebody has said no to the call. */
export function isDenied({ outcome }: RunCase, call: OutcomeInvocation | undefined): boolean {
  return outcome.approvals.some(({ invocationId, state }) => invocationId === call?.id && state === 'DENIED');
}

/** A message to a waiting session skips what was asked (`design.md` section 3, 7): one must have come after the question. */
function declined(question: OutcomeQuestion, run: OutcomeRun, outcome: Outcome): 'skip' | undefined {
  const askedAtMs = outcome.events.find(({ type, payload }) => type === 'question-asked' && payload.id === question.id)?.atMs;
  const later = outcome.runs.some(
    ({ id, sessionId, createdAtMs }) => id !== run.id && sessionId === run.sessionId && askedAtMs !== undefined && createdAtMs >= askedAtMs,
  );
  return question.answer === 'skip' && later ? 'skip' : undefined;
}
