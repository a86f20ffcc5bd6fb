import { type AnsweringCall, type AnsweringCallInputs, resultAccepted, type SettledOutcome } from './answering-call.ts';
import { CallProgressLog } from './call-progress.ts';
import { RunMustWait } from './domain/run-must-wait.ts';
import { askAboutUnknownOutcome, resolutionOf } from './domain/unknown-outcome.ts';

/**
 * Makes a call whose result is for whoever made it, an agent or a stage, and not for the reader; or finds how it ended
 * earlier. Throws `RunMustWait` when a person has to decide; a refusal, a failure or an abort is an outcome.
 */
export async function invokeSilently(
  { run, records, actor, invoker, onlyIds, consent, writer, clock, signal }: Omit<AnsweringCallInputs, 'answer'>,
  call: AnsweringCall,
): Promise<SettledOutcome> {
  const existing = records.invocations.get(call.path);
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
    onProgress: (progress) => told.push(progress),
    ledger: writer.ledger(({ invocation }) => (invocation.state === 'SUCCEEDED' ? { events: [resultAccepted(invocation, clock)] } : {})),
  });
  const outcome = await calling.finally(() => told.close());
  if (outcome.status === 'approval-needed') throw consent.mustAsk(outcome.invocation, outcome.need);
  if (outcome.status === 'waiting') throw new RunMustWait(null);
  if (outcome.status === 'outcome-unknown') throw new RunMustWait(askAboutUnknownOutcome(run, outcome.invocation));
  return outcome;
}
