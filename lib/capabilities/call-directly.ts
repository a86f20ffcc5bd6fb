import type { AuditLog } from '#lib/audit/index.ts';
import { AppError, type ErrorCode, type JsonObject, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { hashArguments } from './domain/invocation.ts';
import { decideKeyedCall, type KeptResult, requireCallKey } from './domain/keyed-call.ts';
import type { InvocationOutcome } from './invocation-request.ts';
import type { Invoker } from './invoker.ts';
import type { InvocationLedger, KeyedCallStore, LedgerEntry } from './ports.ts';
import type { CapabilityRegistry } from './registry.ts';

export interface CallDirectly {
  readonly invoker: Invoker;
  readonly registry: Pick<CapabilityRegistry, 'describe'>;
  readonly unitOfWork: UnitOfWork<DirectCallStores>;
}

export interface DirectCallStores {
  readonly audit: AuditLog;
  readonly keyedCalls: KeyedCallStore;
}

export interface DirectCall {
  readonly capabilityId: string;
  readonly arguments: JsonObject;
  /** The caller's name for this call: asked for once more under it, it is not made once more (requirement H-17). */
  readonly idempotencyKey?: string | undefined;
  /** By which door it came: stands with each of its audit rows. */
  readonly via: 'mcp';
  readonly signal: AbortSignal;
}

/**
 * A call that belongs to no run: another program asks for it and waits. It passes the one invoker like any other, and what the
 * invoker says of it goes to the audit log before and after it acts. When the process ends in between, the log says that it
 * began and not how it ended, and whoever asked has no answer: whether to ask again is theirs to decide, and with a key of
 * theirs asking again is safe. Throws `invalid_request` for a key that is none.
 */
export async function callDirectly(dependencies: CallDirectly, actor: Actor, call: DirectCall): Promise<InvocationOutcome> {
  const { invoker, unitOfWork } = dependencies;
  const key = call.idempotencyKey === undefined ? null : await openKey(dependencies, actor, call, call.idempotencyKey);
  if (key?.refusal) return refuse(dependencies, actor, call, key.refusal);
  const ledger = new DirectLedger(unitOfWork, actor, call, key);
  const outcome = await invoker.invoke({
    actor,
    capabilityId: call.capabilityId,
    arguments: call.arguments,
    runId: newId('run'),
    path: call.via,
    step: 0,
    callsSoFar: 0,
    ledger,
    locale: actor.locale ?? 'en',
    timeZone: actor.timeZone ?? 'UTC',
    signal: call.signal,
    ...(key && { kept: key.kept, idempotencyKey: `${key.caller}:${key.name}` }),
  });
  await ledger.written();
  if (outcome.status !== 'approval-needed') return outcome;
  // Nobody is there to be asked.
  const message = `approval required: ${call.capabilityId}. Ask for it in a chat, where somebody can allow it.`;
  return refuse(dependencies, actor, call, { code: 'approval_denied', message });
}

/** A caller's key for one call, with what is known of it. */
interface OpenKey {
  readonly name: string;
  readonly caller: string;
  readonly argumentsHash: string;
  readonly mayRepeat: boolean;
  readonly kept: KeptResult | null;
  readonly refusal: { readonly code: ErrorCode; readonly message: string } | null;
}

async function openKey({ registry, unitOfWork }: CallDirectly, actor: Actor, call: DirectCall, given: string): Promise<OpenKey> {
  const name = requireCallKey(given);
  // Of this credential: another's key of the same name is another.
  const caller = actor.apiKeyId ?? actor.scope.userId;
  const argumentsHash = hashArguments(null, call.arguments);
  const metadata = registry.describe(actor.scope.tenantId, call.capabilityId);
  const mayRepeat = metadata !== undefined && (metadata.sideEffect === 'read' || metadata.idempotency !== 'none');
  const known = await unitOfWork.within(actor.scope, ({ keyedCalls }) => keyedCalls.find({ caller, key: name }));
  const decision = decideKeyedCall(known, { capabilityId: call.capabilityId, argumentsHash, mayRepeat });
  return {
    name,
    caller,
    argumentsHash,
    mayRepeat,
    kept: decision.kind === 'answer' ? decision.result : null,
    refusal: decision.kind === 'refuse' ? decision : null,
  };
}

/** What the invoker says goes to the audit log, in its order, and with it what is kept under the call's key. */
class DirectLedger implements InvocationLedger {
  readonly #unitOfWork: CallDirectly['unitOfWork'];
  readonly #actor: Actor;
  readonly #call: DirectCall;
  readonly #key: OpenKey | null;
  #last: Promise<void> = Promise.resolve();

  constructor(unitOfWork: CallDirectly['unitOfWork'], actor: Actor, call: DirectCall, key: OpenKey | null) {
    this.#unitOfWork = unitOfWork;
    this.#actor = actor;
    this.#call = call;
    this.#key = key;
  }

  commit(entry: LedgerEntry): Promise<void> {
    this.#last = this.#last.then(() => this.#record(entry));
    return this.#last;
  }

  defer(entry: LedgerEntry): void {
    // What failed is told by `written`.
    this.commit(entry).catch(() => undefined);
  }

  written(): Promise<void> {
    return this.#last;
  }

  #record({ audit: rows, invocation }: LedgerEntry): Promise<void> {
    return this.#unitOfWork.within(this.#actor.scope, async ({ audit, keyedCalls }) => {
      // Its id leads to no run.
      for (const { runId: _runId, ...row } of rows) await audit.record({ ...row, details: { ...row.details, via: this.#call.via } });
      if (!this.#key || this.#key.kept) return;
      const { caller, name: key, argumentsHash, mayRepeat } = this.#key;
      const { id: invocationId, state, capabilityId, result } = invocation;
      if (state === 'SUCCEEDED' || state === 'FAILED') await keyedCalls.end({ caller, key }, { invocationId, result });
      if (state !== 'EXECUTING') return;
      const isOurs = await keyedCalls.begin({ caller, key }, { invocationId, capabilityId, argumentsHash, mayRepeat });
      if (!isOurs) throw new AppError({ code: 'conflict', message: 'A call with this key has begun meanwhile. Ask again for its answer.' });
    });
  }
}

async function refuse(
  { unitOfWork }: CallDirectly,
  actor: Actor,
  call: DirectCall,
  { code, message }: { code: ErrorCode; message: string },
): Promise<InvocationOutcome> {
  await unitOfWork.within(actor.scope, ({ audit }) =>
    audit.record({
      type: 'capability.denied',
      target: { kind: 'capability', id: call.capabilityId },
      details: { reason: message, via: call.via },
    }),
  );
  return { status: 'refused', invocation: null, code, message };
}
