import { AppError, faultPoint, isAppError, type JsonObject, messageOf } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { InvocationOutcome, InvocationRequest, InvokerDependencies, ReadyCapability } from './invocation-request.ts';
import type { OpenCall } from './open-call.ts';

/**
 * Runs a call that may run, on record before it acts and after. A call that a crash has cut off runs again only where that
 * does no harm; for any other the outcome is unknown until a person has decided.
 */
export async function runHandler(
  { clock }: InvokerDependencies,
  {
    request,
    actor,
    capability,
    args,
    call,
    because,
  }: {
    readonly request: InvocationRequest;
    readonly actor: Actor;
    readonly capability: ReadyCapability;
    readonly args: JsonObject;
    readonly call: OpenCall;
    /** By which rule it may run. */
    readonly because: string;
  },
): Promise<InvocationOutcome> {
  const { metadata, handler, configuration } = capability;
  const wasCutOff = request.existing?.state === 'EXECUTING';
  if (wasCutOff && metadata.idempotency === 'none' && metadata.sideEffect !== 'read') {
    if (!request.resolution) return { status: 'outcome-unknown', invocation: call.record };
    if (request.resolution === 'skip') return call.fail('capability_failed', 'The outcome is unknown; it was not run again.');
  }
  await call.begin({ isRepeat: wasCutOff, because });
  faultPoint('invocation.executing');

  const timeLimit = AbortSignal.timeout(metadata.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeLimit]);
  let answer: Awaited<ReturnType<typeof handler>>;
  try {
    answer = await untilAborted(
      handler(args, {
        scope: actor.scope,
        permissions: actor.permissions,
        runId: request.runId,
        invocationId: call.record.id,
        idempotencyKey: call.record.idempotencyKey,
        configuration,
        clock,
        locale: request.locale,
        timeZone: request.timeZone,
        signal,
        emitText: request.onText ?? (() => undefined),
      }),
      signal,
    );
  } catch (error) {
    if (request.signal.aborted) return call.abort(String(request.signal.reason?.message ?? 'stopped'));
    if (timeLimit.aborted) return call.fail('timeout', `${metadata.id} did not answer within ${metadata.timeoutMs} ms.`);
    if (isAppError(error)) return call.fail(error.code, error.message);
    return call.fail('capability_failed', `${metadata.id} failed: ${messageOf(error)}`);
  }
  faultPoint('invocation.effect-done');
  // Not in the try: that a success could not be recorded is no failure of the call.
  return call.succeed(answer.output, answer.text);
}

/** Rejects as soon as the signal fires, whether or not the handler heeds it; a late answer is dropped. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(new AppError({ code: 'timeout', message: 'aborted' }));
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppError({ code: 'timeout', message: 'aborted' }));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
