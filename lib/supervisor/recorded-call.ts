import type { InvocationOutcome, InvocationRecord, Invoker } from '#lib/capabilities/index.ts';
import type { Clock, JsonObject } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { CallProgressLog } from './call-progress.ts';
import type { Boundary, RunEventEntry } from './domain/boundary.ts';
import type { Run } from './domain/run.ts';
import { RunMustWait } from './domain/run-must-wait.ts';
import { resultForLog } from './domain/tool-result.ts';
import { askAboutUnknownOutcome, resolutionOf } from './domain/unknown-outcome.ts';
import type { RunRecords } from './ports.ts';
import type { RunConsent } from './run-consent.ts';
import type { RunWriter } from './run-writer.ts';

/** What a run's calls are made with. */
export interface RecordedCallInputs {
  readonly run: Run;
  readonly records: RunRecords;
  readonly actor: Actor;
  readonly invoker: Invoker;
  /** The capabilities of the run's preset; null: all. */
  readonly onlyIds: readonly string[] | null;
  readonly consent: RunConsent;
  readonly writer: RunWriter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A call of a run. */
export interface RecordedCall {
  readonly path: string;
  readonly step: number;
  readonly capabilityId: string;
  readonly arguments: JsonObject;
  readonly callsSoFar: number;
}

/** How a call ended, or that it was cut short; waiting is thrown. */
export type SettledOutcome = Exclude<InvocationOutcome, { status: 'outcome-unknown' | 'approval-needed' | 'waiting' }>;

/**
 * Makes a call through the invoker, or finds how it ended earlier. Throws `RunMustWait` when a person has to decide; a refusal,
 * a failure or an abort is an outcome. With each write of the call goes what `alongside` says; `onEnd` is called once it has
 * ended, before anything is thrown about that.
 */
export async function recordCall(
  { run, records, actor, invoker, onlyIds, consent, writer, clock, signal }: RecordedCallInputs,
  call: RecordedCall,
  how: {
    readonly onText?: (delta: string) => void;
    readonly alongside: (invocation: InvocationRecord) => Boundary;
    readonly onEnd?: () => void;
  },
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
    ...(how.onText && { onText: how.onText }),
    onProgress: (progress) => told.push(progress),
    ledger: writer.ledger(({ invocation }) => how.alongside(invocation)),
  });
  const outcome = await calling.finally(() => told.close());
  how.onEnd?.();
  if (outcome.status === 'approval-needed') throw consent.mustAsk(outcome.invocation, outcome.need);
  if (outcome.status === 'waiting') throw new RunMustWait(null);
  if (outcome.status === 'outcome-unknown') throw new RunMustWait(askAboutUnknownOutcome(run, outcome.invocation));
  return outcome;
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
