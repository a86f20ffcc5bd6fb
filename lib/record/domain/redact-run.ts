import { REDACTION_MARK, redactText, redactValue } from '#lib/audit/index.ts';
import type { ApprovalView, InvocationView, RunEventView, RunSummaryView, RunView } from '#lib/supervisor/index.ts';

/** What a list shows of a message. */
const PROMPT_HEAD = 200;

/** Pieces of a text: what is personal may lie across two of them, so they are withheld whole. */
const PIECES: ReadonlySet<string> = new Set(['text-delta', 'reasoning-delta']);

/** The beginning of a message: cut after it was redacted, so that half a number does not pass for none. */
export function headOf(text: string): string {
  return [...text].slice(0, PROMPT_HEAD).join('');
}

export function redactSummary<Summary extends RunSummaryView>(run: Summary): Summary {
  return { ...run, promptHead: headOf(redactText(run.promptHead)) };
}

/** Everything in a run that people or tools wrote; ids, states, times and figures stay. */
export function redactRun(run: RunView): RunView {
  const message = redactText(run.message);
  return {
    ...run,
    message,
    promptHead: headOf(message),
    pathReason: redactValue(run.pathReason),
    plan: redactValue(run.plan),
    answer: run.answer === null ? null : redactText(run.answer),
    error: redactValue(run.error),
    question: run.question && {
      ...run.question,
      text: redactText(run.question.text),
      options: redactValue(run.question.options),
      answer: redactValue(run.question.answer),
    },
    approvals: run.approvals.map(redactApproval),
    invocations: run.invocations.map(redactInvocation),
    tasks: run.tasks.map((task) => ({ ...task, textHead: headOf(redactText(task.textHead)) })),
  };
}

function redactApproval(approval: ApprovalView): ApprovalView {
  const { arguments: given, proposedArguments, note } = approval;
  return {
    ...approval,
    arguments: redactValue(given),
    proposedArguments: redactValue(proposedArguments),
    note: note === null ? null : redactText(note),
  };
}

export function redactInvocation(invocation: InvocationView): InvocationView {
  const { arguments: given, output, error, transitions } = invocation;
  return {
    ...invocation,
    arguments: redactValue(given),
    output: redactValue(output),
    error: redactValue(error),
    transitions: transitions.map((move) => ({ ...move, reason: redactText(move.reason) })),
  };
}

export function redactEvent(event: RunEventView): RunEventView {
  if (PIECES.has(event.type)) return { ...event, payload: { ...event.payload, text: `${REDACTION_MARK} text` } };
  return { ...event, payload: redactValue(event.payload) };
}
