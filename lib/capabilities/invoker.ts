import type { AuditEntry, AuditLog } from '#lib/audit/index.ts';
import {
  AppError,
  type Clock,
  type ErrorCode,
  faultPoint,
  type Id,
  isAppError,
  type Json,
  type JsonObject,
  messageOf,
  newId,
} from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { decideAccess } from './domain/access.ts';
import type { CapabilityMetadata } from './domain/capability.ts';
import {
  hashArguments,
  type InvocationRecord,
  type InvocationState,
  invocationTransitions,
  type TransitionRecord,
} from './domain/invocation.ts';
import type { ArgumentValidator, InvocationEvent, InvocationLedger } from './ports.ts';
import type { CapabilityRegistry, UsableCapability } from './registry.ts';

/** One call that a plan or a model asks for. */
export interface InvocationRequest {
  /** null where no tenant could be told: the call is refused and the platform's log takes the row. */
  readonly actor: Actor | null;
  readonly capabilityId: string;
  /** Absent arguments are an empty object. */
  readonly arguments?: JsonObject;
  readonly runId: Id<'run'>;
  /** Where in the run the call stands; also the base of its idempotency key. */
  readonly path: string;
  readonly step: number;
  /** How many calls the run has made before this one. */
  readonly callsSoFar: number;
  /** The capabilities of the run's preset: any other is as good as unknown. null or absent: no preset keeps to some. */
  readonly onlyIds?: readonly string[] | null;
  readonly ledger: InvocationLedger;
  readonly locale: 'en' | 'zh-CN';
  readonly timeZone: string;
  readonly signal: AbortSignal;
  /** The row that an earlier, cut off attempt left. */
  readonly existing?: InvocationRecord | undefined;
  /** What the person chose for a call whose outcome is unknown. */
  readonly resolution?: 'run-again' | 'skip' | undefined;
  /** Receives the answer's text while the handler still works. */
  readonly onText?: (delta: string) => void;
}

/** How a call ended. A refusal or failure is data for the planner or model; only a lost database or a fence is thrown. */
export type InvocationOutcome =
  | { readonly status: 'succeeded'; readonly invocation: InvocationRecord; readonly output: JsonObject; readonly text: string }
  | {
      readonly status: 'refused' | 'failed';
      readonly invocation: InvocationRecord | null;
      readonly code: ErrorCode;
      readonly message: string;
    }
  /** The process ended during a call that must not be repeated blindly: ask, then call again with a `resolution`. */
  | { readonly status: 'outcome-unknown'; readonly invocation: InvocationRecord }
  /** The signal fired: the run was stopped or its time is up. */
  | { readonly status: 'aborted'; readonly invocation: InvocationRecord };

export interface Invoker {
  invoke(request: InvocationRequest): Promise<InvocationOutcome>;
}

export interface InvokerDependencies {
  readonly registry: CapabilityRegistry;
  readonly validator: ArgumentValidator;
  readonly platformAudit: AuditLog;
  readonly clock: Clock;
  /** Calls a run may make; the next one is refused. */
  readonly maxCallsPerRun: number;
}

/**
 * The one door to every capability, for planned and model-made calls alike (requirements P-16, P-17): lookup, permission,
 * handler, argument validation, approval, budget, run, outcome. Each refusal and each outcome is an audit row.
 */
export function createInvoker(dependencies: InvokerDependencies): Invoker {
  return {
    async invoke(request) {
      const { actor } = request;
      if (!actor) return refuseWithoutTenant(dependencies, request);
      const ended = endedEarlier(request.existing);
      if (ended) return ended;

      const isInScope = request.onlyIds?.includes(request.capabilityId) ?? true;
      const capability = isInScope ? await dependencies.registry.find(actor.scope.tenantId, request.capabilityId) : undefined;
      const call = new OpenCall(dependencies, request, capability?.metadata);
      const refusal = refusalOf(dependencies, request, actor, capability);
      if (refusal) return call.refuse(refusal);
      return execute(dependencies, request, actor, capability as ReadyCapability, call);
    },
  };
}

type ReadyCapability = UsableCapability & Required<Pick<UsableCapability, 'handler'>>;

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly audit: AuditEntry['type'];
  readonly details?: JsonObject;
}

async function refuseWithoutTenant({ platformAudit }: InvokerDependencies, request: InvocationRequest): Promise<InvocationOutcome> {
  await platformAudit.record({
    type: 'capability.denied',
    target: { kind: 'capability', id: request.capabilityId },
    actor: { kind: 'unknown', id: 'unknown' },
    details: { reason: 'tenant context missing' },
  });
  return { status: 'refused', invocation: null, code: 'tenant_context_missing', message: 'tenant context missing' };
}

function endedEarlier(existing: InvocationRecord | undefined): InvocationOutcome | null {
  if (existing?.state === 'SUCCEEDED') {
    const { output, text } = existing.result ?? { output: {}, text: '' };
    return { status: 'succeeded', invocation: existing, output, text };
  }
  if (existing?.state === 'FAILED') {
    const error = existing.error ?? { code: 'capability_failed', message: 'The call failed.' };
    return { status: 'failed', invocation: existing, code: error.code as ErrorCode, message: error.message };
  }
  return null;
}

/** The gates before a call may run, in the order that `design.md` fixes. */
function refusalOf(
  { validator, maxCallsPerRun }: InvokerDependencies,
  request: InvocationRequest,
  actor: Actor,
  capability: UsableCapability | undefined,
): Refusal | null {
  const id = request.capabilityId;
  const access = decideAccess(capability, actor.permissions);
  if (!capability || (!access.isAllowed && access.rule === 'unknown')) {
    return { code: 'unknown_capability', message: `unknown capability: ${id}`, audit: 'capability.unknown' };
  }
  if (!access.isAllowed && access.rule === 'lacking') {
    const lacking = [...access.lacking];
    const message = `permission denied: ${id} needs ${lacking.join(', ')}`;
    return { code: 'permission_denied', message, audit: 'capability.denied', details: { lacking } };
  }
  if (!access.isAllowed) {
    return { code: 'capability_without_handler', message: `no handler for capability: ${id}`, audit: 'capability.unhandled' };
  }
  const validation = validator.validate(capability.metadata.inputSchema, request.arguments ?? {});
  if (!validation.ok) {
    const problems = validation.problems.map(({ path, message }) => `${path || 'arguments'} ${message}`);
    return { code: 'invalid_arguments', message: `invalid arguments for ${id}: ${problems.join('; ')}`, audit: 'capability.rejected' };
  }
  if (capability.metadata.sideEffect === 'destructive') {
    // A missing approval counts as a refusal.
    return { code: 'approval_required', message: `approval required: ${id}`, audit: 'capability.denied' };
  }
  if (request.callsSoFar >= maxCallsPerRun) {
    return { code: 'budget_exceeded', message: `budget exceeded: a run may make ${maxCallsPerRun} calls`, audit: 'capability.denied' };
  }
  return null;
}

async function execute(
  { clock }: InvokerDependencies,
  request: InvocationRequest,
  actor: Actor,
  { metadata, handler, configuration }: ReadyCapability,
  call: OpenCall,
): Promise<InvocationOutcome> {
  const wasCutOff = request.existing?.state === 'EXECUTING';
  if (wasCutOff && metadata.idempotency === 'none' && metadata.sideEffect !== 'read') {
    if (!request.resolution) return { status: 'outcome-unknown', invocation: call.record };
    if (request.resolution === 'skip') return call.fail('capability_failed', 'The outcome is unknown; it was not run again.');
  }
  await call.begin({ isRepeat: wasCutOff });
  faultPoint('invocation.executing');

  const timeLimit = AbortSignal.timeout(metadata.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeLimit]);
  let answer: Awaited<ReturnType<typeof handler>>;
  try {
    answer = await untilAborted(
      handler(request.arguments ?? {}, {
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

/** A call between its request and its outcome: keeps the row, its transitions and events in step. */
class OpenCall {
  record: InvocationRecord;
  readonly #dependencies: InvokerDependencies;
  readonly #request: InvocationRequest;
  readonly #isReadOnly: boolean;
  readonly #isNew: boolean;
  #transitionSeq: number;
  #startedAtMs: number;

  constructor(dependencies: InvokerDependencies, request: InvocationRequest, metadata: CapabilityMetadata | undefined) {
    const args = request.arguments ?? {};
    this.#dependencies = dependencies;
    this.#request = request;
    this.#isReadOnly = metadata?.sideEffect === 'read';
    this.#isNew = !request.existing;
    this.#startedAtMs = dependencies.clock.now().getTime();
    // An earlier process may have written up to four moves for each attempt it began.
    this.#transitionSeq = request.existing ? (request.existing.attempt + 1) * 4 : 0;
    this.record = request.existing ?? {
      id: newId('invocation'),
      path: request.path,
      step: request.step,
      capabilityId: request.capabilityId,
      capabilityVersion: metadata?.version ?? null,
      state: 'REQUESTED',
      attempt: 0,
      arguments: args,
      argumentsHash: hashArguments(metadata?.version ?? null, args),
      idempotencyKey: `${request.runId}:${request.path}`,
      result: null,
      error: null,
      requestedAt: dependencies.clock.now(),
      finishedAt: null,
    };
  }

  async begin({ isRepeat }: { isRepeat: boolean }): Promise<void> {
    const transitions = this.#isNew ? [this.#opening()] : [];
    if (this.record.state === 'REQUESTED') transitions.push(this.#move('ARGUMENTS_VALIDATED', 'arguments match the schema'));
    this.record = { ...this.record, attempt: this.record.attempt + 1 };
    transitions.push(this.#move('EXECUTING', isRepeat ? 'run again: the process ended during the call' : 'allowed'));
    const entry = {
      invocation: this.record,
      transitions,
      events: [...(this.#isNew ? [this.#requested()] : []), ...transitions.filter((move) => move.from).map(toEvent)],
      audit: [this.#audit('capability.invoked')],
    };
    // What changes nothing may share the next write; everything else is on record before it acts.
    if (this.#isReadOnly) this.#request.ledger.defer(entry);
    else await this.#request.ledger.commit(entry, { begins: true });
  }

  async succeed(output: JsonObject, text: string): Promise<InvocationOutcome> {
    await this.#end('SUCCEEDED', { reason: 'answered', result: { output, text }, audit: 'capability.succeeded' });
    return { status: 'succeeded', invocation: this.record, output, text };
  }

  async fail(code: ErrorCode, message: string): Promise<InvocationOutcome> {
    await this.#end('FAILED', { reason: message, error: { code, message }, audit: 'capability.failed' });
    return { status: 'failed', invocation: this.record, code, message };
  }

  async abort(reason: string): Promise<InvocationOutcome> {
    await this.#end('FAILED', { reason, error: { code: 'capability_failed', message: reason }, audit: 'capability.failed' });
    return { status: 'aborted', invocation: this.record };
  }

  async refuse(refusal: Refusal): Promise<InvocationOutcome> {
    const { code, message } = refusal;
    await this.#end('FAILED', {
      reason: message,
      error: { code, message },
      audit: refusal.audit,
      ...(refusal.details && { details: refusal.details }),
    });
    return { status: 'refused', invocation: this.record, code, message };
  }

  async #end(
    to: 'SUCCEEDED' | 'FAILED',
    end: {
      reason: string;
      result?: InvocationRecord['result'];
      error?: { code: string; message: string };
      audit: AuditEntry['type'];
      details?: JsonObject;
    },
  ): Promise<void> {
    const opening = this.#isNew && this.#transitionSeq === 0 ? [this.#opening()] : [];
    const transitions = [...opening, this.#move(to, end.reason)];
    const now = this.#dependencies.clock.now();
    this.record = { ...this.record, result: end.result ?? null, error: end.error ?? null, finishedAt: now };
    const executed: InvocationEvent = {
      type: 'ToolExecuted',
      at: now,
      payload: {
        invocationId: this.record.id,
        step: this.record.step,
        capabilityId: this.record.capabilityId,
        ok: to === 'SUCCEEDED',
        durationMs: now.getTime() - this.#startedAtMs,
        ...(end.error && { error: end.error }),
      },
    };
    const entry = {
      invocation: this.record,
      transitions,
      events: [...(opening.length ? [this.#requested()] : []), ...transitions.filter((move) => move.from).map(toEvent), executed],
      audit: [this.#audit(end.audit, { ...end.details, ...(end.error && { reason: end.error.message }) })],
    };
    // Lost with its process, it is asked for again: that changes nothing either.
    if (this.#isReadOnly && to === 'SUCCEEDED') this.#request.ledger.defer(entry);
    else await this.#request.ledger.commit(entry, { begins: false });
  }

  #opening(): TransitionRecord {
    return this.#transition(null, 'REQUESTED', 'asked for by the plan');
  }

  #move(to: InvocationState, reason: string): TransitionRecord {
    invocationTransitions.assert(this.record.state, to);
    const move = this.#transition(this.record.state, to, reason);
    this.record = { ...this.record, state: to };
    return move;
  }

  #transition(from: InvocationState | null, to: InvocationState, reason: string): TransitionRecord {
    this.#transitionSeq += 1;
    return {
      invocationId: this.record.id,
      seq: this.#transitionSeq,
      from,
      to,
      attempt: this.record.attempt,
      reason,
      at: this.#dependencies.clock.now(),
    };
  }

  #requested(): InvocationEvent {
    const { id, step, capabilityId, arguments: args, requestedAt } = this.record;
    return { type: 'ToolInvocationRequested', at: requestedAt, payload: { invocationId: id, step, capabilityId, arguments: args } };
  }

  #audit(type: AuditEntry['type'], details?: { readonly [key: string]: Json | undefined }): AuditEntry {
    const { actor } = this.#request;
    return {
      type,
      actor: actor ? { kind: actor.kind, id: actor.apiKeyId ?? actor.scope.userId } : { kind: 'unknown', id: 'unknown' },
      target: { kind: 'capability', id: this.record.capabilityId },
      runId: this.#request.runId,
      details: { invocationId: this.record.id, argumentsHash: this.record.argumentsHash, attempt: this.record.attempt, ...details },
    };
  }
}

function toEvent(move: TransitionRecord): InvocationEvent {
  const { invocationId, from, to, reason, attempt, at } = move;
  return { type: 'invocation-state', at, payload: { invocationId, from, to, reason, attempt } };
}
