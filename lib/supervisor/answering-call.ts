import type { InvocationOutcome, InvocationRecord, Invoker } from '#lib/capabilities/index.ts';
import { AppError, type Clock, faultPoint, type JsonObject } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { CallProgressLog } from './call-progress.ts';
import type { AnswerText } from './domain/answer-text.ts';
import type { Boundary, RunEventEntry } from './domain/boundary.ts';
import type { Run } from './domain/run.ts';
import { RunMustWait } from './domain/run-must-wait.ts';
import { resultForLog } from './domain/tool-result.ts';
import { askAboutUnknownOutcome, resolutionOf } from './domain/unknown-outcome.ts';
import type { RunRecords } from './ports.ts';
import type { RunConsent } from './run-consent.ts';
import type { RunWriter } from './run-writer.ts';
import { TextStream } from './text-stream.ts';

export interface AnsweringCallInputs {
  readonly run: Run;
  readonly records: RunRecords;
  readonly actor: Actor;
  readonly invoker: Invoker;
  /** The capabilities of the run's preset; null: all. */
  readonly onlyIds: readonly string[] | null;
  readonly consent: RunConsent;
  readonly writer: RunWriter;
  readonly answer: AnswerText;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A call whose text is a part of the run's answer, streamed while the handler speaks. */
export interface AnsweringCall {
  readonly path: string;
  readonly step: number;
  readonly capabilityId: string;
  readonly arguments: JsonObject;
  readonly callsSoFar: number;
}

/** How a call ended, or that it was cut short; waiting is thrown. */
export type SettledOutcome = Exclude<InvocationOutcome, { status: 'outcome-unknown' | 'approval-needed' | 'waiting' }>;

/**
 * Makes the call, or finds how it ended earlier. Throws `RunMustWait` when a person has to decide, and `timeout` when the
 * signal fires; a refusal or failure is an outcome.
 */
export async function invokeForAnswer(inputs: AnsweringCallInputs, call: AnsweringCall): Promise<SettledOutcome> {
  const { run, records, actor, invoker, onlyIds, consent, writer, answer, clock, signal } = inputs;
  if (signal.aborted) throw new AppError({ code: 'timeout', message: 'aborted' });
  const existing = records.invocations.get(call.path);
  const stream = new TextStream({
    writer,
    answer,
    clock,
    step: call.step,
    attempt: (existing?.attempt ?? 0) + 1,
    separator: answer.hasBefore(call.step) ? '\n\n' : '',
  });
  const isOpen = existing?.state !== 'SUCCEEDED' && existing?.state !== 'FAILED';
  if (isOpen) stream.forgetEarlierAttempt();
  const resolution = resolutionOf(records.question, existing);
  const told = new CallProgressLog({ writer, clock });

  const calling = invoker.invoke({
    ...call,
    actor,
    runId: run.id,
    locale: run.locale,
    timeZone: run.timeZone,
    signal,
    existing,
    onlyIds,
    consent: consent.of(existing),
    ...(resolution && { resolution }),
    onText: (delta) => stream.push(delta),
    onProgress: (progress) => told.push(progress),
    ledger: writer.ledger(({ invocation }) => finalText(invocation, stream, { clock, signal })),
  });
  const outcome = await calling.finally(() => told.close());
  stream.close();
  faultPoint('step.done');
  if (outcome.status === 'approval-needed') throw consent.mustAsk(outcome.invocation, outcome.need);
  if (outcome.status === 'waiting') throw new RunMustWait(null);
  if (outcome.status === 'outcome-unknown') throw new RunMustWait(askAboutUnknownOutcome(run, outcome.invocation));
  if (outcome.status === 'aborted') throw new AppError({ code: 'timeout', message: 'aborted' });
  return outcome;
}

/** With a call's last write goes the text that answers for it. */
function finalText(
  invocation: InvocationRecord,
  stream: TextStream,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Boundary {
  if (invocation.state !== 'SUCCEEDED' && invocation.state !== 'FAILED') return {};
  const isOk = invocation.state === 'SUCCEEDED';
  // Of a call that was stopped the end of the run tells.
  const problem = signal.aborted ? '' : `⚠ ${invocation.error?.message ?? ''}`;
  const text = isOk ? (invocation.result?.text ?? '') : [stream.heard, problem].filter(Boolean).join('\n\n');
  return { events: [...(isOk ? [resultAccepted(invocation, clock)] : []), ...stream.rest(text)] };
}

/** The whole stands with the call; the log is sent to every reader. */
const LOGGED_CHARACTERS = 64_000;

/** The event that a call's result is in. */
export function resultAccepted({ id, step, result }: InvocationRecord, clock: Clock): RunEventEntry {
  return {
    type: 'ToolResultAccepted',
    at: clock.now(),
    payload: { invocationId: id, step, output: resultForLog(result?.output ?? {}, LOGGED_CHARACTERS) },
  };
}
