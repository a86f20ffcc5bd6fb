import { type Fault, isEnded, type RunCase } from './fault.ts';
import type { OutcomeEvent, OutcomeTransition } from './outcome.ts';

/** The moves that `requirements` H-11 and `design.md` section 3 allow, written down here once more: the check must not believe the product's own table. */
const CALL_MOVES: Readonly<Record<string, readonly string[]>> = {
  '': ['REQUESTED'],
  REQUESTED: ['ARGUMENTS_VALIDATED', 'FAILED'],
  ARGUMENTS_VALIDATED: ['EXECUTING', 'FAILED'],
  EXECUTING: ['EXECUTING', 'SUCCEEDED', 'FAILED', 'RETRY_WAIT'],
  RETRY_WAIT: ['EXECUTING', 'FAILED'],
};

const RUN_MOVES: Readonly<Record<string, readonly string[]>> = {
  QUEUED: ['RUNNING', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'],
  RUNNING: ['RUNNING', 'WAITING', 'FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'],
  WAITING: ['QUEUED', 'RUNNING', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'],
};

/** Whether the run's records hold together: event log, transcript, memory, transitions, audit. */
export function faultsOfLog(subject: RunCase): Fault[] {
  const { asked, outcome, run } = subject;
  const events = outcome.events.filter((event) => event.runId === run.id);
  const problems = [
    ...problemsOfEvents(subject, events),
    ...problemsOfTranscript(subject, events),
    ...problemsOfMemory(subject),
    ...problemsOfCalls(subject),
    ...problemsOfAudit(subject),
  ];
  return problems.map((what) => ({ kind: 'broken', where: asked.order.key, what }));
}

function problemsOfEvents({ run }: RunCase, events: readonly OutcomeEvent[]): string[] {
  const problems: string[] = [];
  const gap = events.findIndex((event, index) => event.seq !== index + 1);
  if (gap >= 0) problems.push(`the log has a gap before seq ${events[gap]?.seq}`);
  if (events.length !== run.eventSeq) problems.push(`the run counts ${run.eventSeq} events, the log has ${events.length}`);
  if (events[0]?.type !== 'UserPromptSubmitted') problems.push(`the log begins with ${events[0]?.type}`);
  const ends = events.filter((event) => event.type === 'STREAM_DONE').length;
  if (ends !== (isEnded(run) ? 1 : 0)) problems.push(`${ends} STREAM_DONE in a run that is ${run.state}`);
  if (ends > 0 && events.at(-1)?.type !== 'STREAM_DONE') problems.push(`${events.at(-1)?.type} after STREAM_DONE`);
  let state = 'QUEUED';
  for (const { payload, seq } of events.filter((event) => event.type === 'run-state')) {
    const [from, to] = [String(payload.from), String(payload.to)];
    if (from !== state || !RUN_MOVES[state]?.includes(to)) problems.push(`seq ${seq}: the run went ${from} -> ${to} in ${state}`);
    state = to;
  }
  if (state !== run.state) problems.push(`the log says ${state}, the run ${run.state}`);
  return problems;
}

/** The text as a reader of the log has it: of each step what came after its last reset. */
export function textOfLog(events: readonly OutcomeEvent[]): string {
  const steps = new Map<number, string>();
  for (const { type, payload } of events) {
    const step = Number(payload.step);
    if (type === 'text-reset') steps.delete(step);
    if (type === 'text-delta') steps.set(step, (steps.get(step) ?? '') + String(payload.text));
  }
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('');
}

function problemsOfTranscript({ run, outcome }: RunCase, events: readonly OutcomeEvent[]): string[] {
  const messages = outcome.messages.filter((message) => message.runId === run.id);
  const asked = messages.filter((message) => message.role === 'user').length;
  const answers = messages.filter((message) => message.role === 'assistant');
  const problems: string[] = [];
  if (asked !== 1) problems.push(`${asked} messages of the user`);
  if (answers.length !== (isEnded(run) ? 1 : 0)) problems.push(`${answers.length} answers in the transcript of a run that is ${run.state}`);
  const answer = answers[0];
  if (!answer) return problems;
  if (answer.text !== run.answer) problems.push('the transcript differs from the answer of the run');
  const told = textOfLog(events);
  // Another end than FINISH_OK adds a sentence that says why.
  const isTold = run.state === 'FINISH_OK' ? answer.text === told : answer.text.startsWith(told);
  if (!isTold) problems.push(`the transcript says ${JSON.stringify(answer.text)}, the deltas ${JSON.stringify(told)}`);
  return problems;
}

function problemsOfMemory({ run, outcome }: RunCase): string[] {
  const rows = outcome.memory.filter((row) => row.runId === run.id);
  if (run.state !== 'FINISH_OK') return rows.length === 0 ? [] : [`${rows.length} rows of memory for ${run.state}`];
  const roles = rows
    .map((row) => row.role)
    .sort()
    .join(' ');
  const turns = new Set(rows.map((row) => row.turnSeq)).size;
  return roles === 'ASSISTANT USER' && turns === 1 ? [] : [`memory has the rows ${roles || 'none'} in ${turns} turns`];
}

function problemsOfCalls({ calls, outcome }: RunCase): string[] {
  return calls.flatMap((call) => {
    const moves = outcome.transitions.filter((move) => move.invocationId === call.id);
    const problems = problemsOfMoves(moves).map((problem) => `call ${call.step}: ${problem}`);
    const last = moves.at(-1)?.to;
    return last === call.state ? problems : [...problems, `call ${call.step} is ${call.state}, its last move went to ${last}`];
  });
}

function problemsOfMoves(moves: readonly OutcomeTransition[]): string[] {
  const problems: string[] = [];
  let state: string | null = null;
  let attempt = 0;
  for (const move of moves) {
    if (move.from !== state || !CALL_MOVES[state ?? '']?.includes(move.to)) problems.push(`${move.from} -> ${move.to} in ${state}`);
    const isNewAttempt = move.to === 'EXECUTING';
    if (move.attempt < attempt || (isNewAttempt && move.attempt === attempt)) problems.push(`attempt ${move.attempt} after ${attempt}`);
    state = move.to;
    attempt = move.attempt;
  }
  return problems;
}

function problemsOfAudit({ run, calls, outcome }: RunCase): string[] {
  const rows = outcome.audit.filter((row) => row.runId === run.id);
  const count = (type: string) => rows.filter((row) => row.type === type).length;
  const problems: string[] = [];
  if (count('run.submitted') !== 1) problems.push(`${count('run.submitted')} audit rows run.submitted`);
  const finished = count('run.finished');
  if (finished !== (isEnded(run) ? 1 : 0)) problems.push(`${finished} audit rows run.finished for ${run.state}`);
  for (const call of calls) {
    const of = (type: string) => rows.filter((row) => row.type === type && row.invocationId === call.id).length;
    if (of('capability.succeeded') !== (call.state === 'SUCCEEDED' ? 1 : 0)) {
      problems.push(`${of('capability.succeeded')} audit rows capability.succeeded for call ${call.step} that is ${call.state}`);
    }
    if (of('capability.invoked') !== call.attempt) {
      problems.push(`${of('capability.invoked')} audit rows capability.invoked for ${call.attempt} attempts of call ${call.step}`);
    }
  }
  return problems;
}
