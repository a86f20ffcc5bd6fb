import type { InvocationRecord } from '#lib/capabilities/index.ts';
import { AppError, type Clock, faultPoint } from '#lib/kernel/index.ts';
import type { AnswerText } from './domain/answer-text.ts';
import type { Boundary } from './domain/boundary.ts';
import { type RecordedCall, type RecordedCallInputs, recordCall, resultAccepted, type SettledOutcome } from './recorded-call.ts';
import { TextStream } from './text-stream.ts';

/** Where the text goes that answers. */
export interface AnsweringCallInputs extends RecordedCallInputs {
  readonly answer: AnswerText;
}

/**
 * Makes the call, or finds how it ended earlier. Throws `RunMustWait` when a person has to decide, and `timeout` when the
 * signal fires; a refusal or failure is an outcome.
 */
export async function invokeForAnswer(inputs: AnsweringCallInputs, call: RecordedCall): Promise<SettledOutcome> {
  const { records, writer, answer, clock, signal } = inputs;
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
  const outcome = await recordCall(inputs, call, {
    onText: (delta) => stream.push(delta),
    alongside: (invocation) => finalText(invocation, stream, { clock, signal }),
    onEnd() {
      stream.close();
      faultPoint('step.done');
    },
  });
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
