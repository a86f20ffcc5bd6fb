import type { AuditEntry } from '#lib/audit/index.ts';
import { type ErrorCode, type Json, type JsonObject, newId } from '#lib/kernel/index.ts';
import type { CapabilityMetadata } from './domain/capability.ts';
import {
  hashArguments,
  type InvocationRecord,
  type InvocationState,
  invocationTransitions,
  type TransitionRecord,
} from './domain/invocation.ts';
import type { KeptResult } from './domain/keyed-call.ts';
import type { ApprovalNeed, InvocationOutcome, InvocationRequest, InvokerDependencies, Refusal } from './invocation-request.ts';
import type { InvocationEvent } from './ports.ts';

/** An earlier process may have written up to so many moves for each attempt it began. */
const MOVES_OF_AN_ATTEMPT = 4;

/** A call between its request and its outcome: keeps the row, its transitions and events in step. */
export class OpenCall {
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
    this.#transitionSeq = request.existing ? (request.existing.attempt + 1) * MOVES_OF_AN_ATTEMPT : 0;
    this.record = (request.existing && asOfNow(request.existing, metadata)) ?? {
      id: newId('invocation'),
      path: request.path,
      step: request.step,
      capabilityId: request.capabilityId,
      capabilityVersion: metadata?.version ?? null,
      state: 'REQUESTED',
      attempt: 0,
      arguments: args,
      argumentsHash: hashArguments(metadata?.version ?? null, args),
      idempotencyKey: request.idempotencyKey ?? `${request.runId}:${request.path}`,
      result: null,
      error: null,
      requestedAt: dependencies.clock.now(),
      finishedAt: null,
    };
  }

  /** The next attempt begins. */
  async begin(because: string, details?: JsonObject): Promise<void> {
    const isFirst = this.#isNew && this.#transitionSeq === 0;
    const transitions = isFirst ? [this.#opening()] : [];
    if (this.record.state === 'REQUESTED') transitions.push(this.#move('ARGUMENTS_VALIDATED', 'arguments match the schema'));
    this.record = { ...this.record, attempt: this.record.attempt + 1 };
    transitions.push(this.#move('EXECUTING', because));
    const entry = {
      invocation: this.record,
      transitions,
      events: [...(isFirst ? [this.#requested()] : []), ...transitions.filter((move) => move.from).map(toEvent)],
      audit: [this.#audit('capability.invoked', details)],
    };
    // What changes nothing may share the next write; everything else is on record before it acts.
    if (this.#isReadOnly) this.#request.ledger.defer(entry);
    else await this.#request.ledger.commit(entry, { begins: true });
  }

  /** An attempt has failed in passing: the call waits for its next one. */
  async waitToRetry(reason: string): Promise<void> {
    const move = this.#move('RETRY_WAIT', reason);
    const entry = { invocation: this.record, transitions: [move], events: [toEvent(move)], audit: [] };
    await this.#request.ledger.commit(entry, { begins: false });
  }

  /** The arguments are valid, and somebody has to decide: on record with the run's waiting. */
  wait(need: ApprovalNeed): InvocationOutcome {
    if (this.record.state === 'REQUESTED') {
      const transitions = [
        ...(this.#isNew ? [this.#opening()] : []),
        this.#move('ARGUMENTS_VALIDATED', 'arguments match the schema; somebody has to decide'),
      ];
      const events = [...(this.#isNew ? [this.#requested()] : []), ...transitions.filter((move) => move.from).map(toEvent)];
      this.#request.ledger.defer({ invocation: this.record, transitions, events, audit: [] });
    }
    return { status: 'approval-needed', invocation: this.record, need };
  }

  async succeed(output: JsonObject, text: string): Promise<InvocationOutcome> {
    await this.#end('SUCCEEDED', { reason: 'answered', result: { output, text }, audit: 'capability.succeeded' });
    return { status: 'succeeded', invocation: this.record, output, text };
  }

  /** With what was answered before, and without its handler. */
  async answer({ output, text }: KeptResult): Promise<InvocationOutcome> {
    await this.begin('answered before, under the same key', { isKept: true });
    return this.succeed(output, text);
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

/** A call that has not begun is one of the version that would run now: a decision about another does not count. */
function asOfNow(existing: InvocationRecord, metadata: CapabilityMetadata | undefined): InvocationRecord {
  if (existing.attempt > 0 || !metadata || metadata.version === existing.capabilityVersion) return existing;
  return { ...existing, capabilityVersion: metadata.version, argumentsHash: hashArguments(metadata.version, existing.arguments) };
}

/** A call that waited for a decision when its run was stopped: it has failed, and never began. */
export function failUnstarted(
  invocation: InvocationRecord,
  reason: string,
  at: Date,
): { readonly invocation: InvocationRecord; readonly transition: TransitionRecord; readonly events: readonly InvocationEvent[] } {
  invocationTransitions.assert(invocation.state, 'FAILED');
  const { id, step, capabilityId, attempt } = invocation;
  const seq = (attempt + 1) * MOVES_OF_AN_ATTEMPT + 1;
  const transition: TransitionRecord = { invocationId: id, seq, from: invocation.state, to: 'FAILED', attempt, reason, at };
  const error = { code: 'approval_denied', message: reason };
  return {
    invocation: { ...invocation, state: 'FAILED', error, finishedAt: at },
    transition,
    events: [
      toEvent(transition),
      { type: 'ToolExecuted', at, payload: { invocationId: id, step, capabilityId, ok: false, durationMs: 0, error } },
    ],
  };
}
