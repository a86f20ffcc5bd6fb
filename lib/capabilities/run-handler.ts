import { AppError, type ErrorCode, faultPoint, isAppError, type JsonObject, messageOf } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { CallMustWait } from './domain/call-must-wait.ts';
import type { CapabilityMetadata, CapabilityOutput } from './domain/capability.ts';
import { retryWaitMs } from './domain/retry-policy.ts';
import type { InvocationOutcome, InvocationRequest, InvokerDependencies, ReadyCapability } from './invocation-request.ts';
import type { OpenCall } from './open-call.ts';

/**
 * Runs a call that may run, on record before it acts and after. A call that a crash has cut off runs again only where that
 * does no harm; for any other the outcome is unknown until a person has decided. What fails in passing is made again after a
 * while, each attempt and each wait on record.
 */
export async function runHandler(
  { clock, random = Math.random }: InvokerDependencies,
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
  const { metadata } = capability;
  const wasCutOff = request.existing?.state === 'EXECUTING';
  if (wasCutOff && metadata.idempotency === 'none' && metadata.sideEffect !== 'read') {
    if (!request.resolution) return { status: 'outcome-unknown', invocation: call.record };
    if (request.resolution === 'skip') return call.fail('capability_failed', 'The outcome is unknown; it was not run again.');
  }
  await call.begin(wasCutOff ? whyAgain(metadata) : because);
  for (;;) {
    faultPoint('invocation.executing');
    const end = await attempt({ clock, request, actor, capability, args, call });
    if (end.kind === 'answered') {
      faultPoint('invocation.effect-done');
      // Not in the attempt: that a success could not be recorded is no failure of the call.
      return call.succeed(end.answer.output, end.answer.text);
    }
    if (end.kind === 'aborted') return call.abort(end.reason);
    if (end.kind === 'waits') return { status: 'waiting', invocation: call.record };
    // What was said is not said again.
    const waitMs = end.hasSpoken ? null : retryWaitMs({ error: end, attempt: call.record.attempt, metadata, random });
    if (waitMs === null) return call.fail(end.code, end.message);
    await call.waitToRetry(`${end.message}; again in ${waitMs} ms`);
    faultPoint('invocation.retry-wait');
    if (!(await pause(waitMs, request.signal))) return call.abort(reasonOf(request.signal));
    await call.begin('run again: it had failed in passing');
  }
}

/** One that has handed work on is made again for what came of it, whether or not its process has ended meanwhile. */
function whyAgain({ protocol }: CapabilityMetadata): string {
  return protocol === 'AGENT' ? 'made again: looks after what it has begun' : 'run again: the process ended during the call';
}

type AttemptEnd =
  | { readonly kind: 'answered'; readonly answer: CapabilityOutput }
  | { readonly kind: 'aborted'; readonly reason: string }
  | { readonly kind: 'waits' }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>> | undefined;
      readonly hasSpoken: boolean;
    };

/** One attempt, within its time. Whatever the handler throws is an end. */
async function attempt({
  clock,
  request,
  actor,
  capability: { metadata, handler, configuration },
  args,
  call,
}: {
  readonly clock: InvokerDependencies['clock'];
  readonly request: InvocationRequest;
  readonly actor: Actor;
  readonly capability: ReadyCapability;
  readonly args: JsonObject;
  readonly call: OpenCall;
}): Promise<AttemptEnd> {
  const timeLimit = AbortSignal.timeout(metadata.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeLimit]);
  let hasSpoken = false;
  let isOver = false;
  try {
    const answer = await untilAborted(
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
        emitText: (delta) => {
          hasSpoken = true;
          request.onText?.(delta);
        },
        reportProgress: (progress) => {
          if (!isOver) request.onProgress?.({ invocationId: call.record.id, ...progress });
        },
      }),
      signal,
    );
    return { kind: 'answered', answer };
  } catch (error) {
    if (request.signal.aborted) return { kind: 'aborted', reason: reasonOf(request.signal) };
    if (error instanceof CallMustWait) return { kind: 'waits' };
    const failed = { kind: 'failed', hasSpoken } as const;
    if (timeLimit.aborted) return { ...failed, code: 'timeout', message: `${metadata.id} did not answer within ${metadata.timeoutMs} ms.` };
    if (isAppError(error)) return { ...failed, code: error.code, message: error.message, details: error.details };
    return { ...failed, code: 'capability_failed', message: `${metadata.id} failed: ${messageOf(error)}` };
  } finally {
    isOver = true;
  }
}

function reasonOf(signal: AbortSignal): string {
  return String(signal.reason?.message ?? 'stopped');
}

/** Whether the whole of it could be waited. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isWhole: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onStop);
      resolve(isWhole);
    };
    const onStop = () => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal.addEventListener('abort', onStop, { once: true });
  });
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
