import type { AuditLog } from '#lib/audit/index.ts';
import { type JsonObject, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { InvocationOutcome } from './invocation-request.ts';
import type { Invoker } from './invoker.ts';
import type { InvocationLedger, LedgerEntry } from './ports.ts';

export interface CallDirectly {
  readonly invoker: Invoker;
  readonly unitOfWork: UnitOfWork<{ readonly audit: AuditLog }>;
}

export interface DirectCall {
  readonly capabilityId: string;
  readonly arguments: JsonObject;
  /** By which door it came: stands with each of its audit rows. */
  readonly via: 'mcp';
  readonly signal: AbortSignal;
}

/**
 * A call that belongs to no run: another program asks for it and waits. It passes the one invoker like any other, and what the
 * invoker says of it goes to the audit log before and after it acts. When the process ends in between, the log says that it
 * began and not how it ended, and whoever asked has no answer: whether to ask again is theirs to decide.
 */
export async function callDirectly({ invoker, unitOfWork }: CallDirectly, actor: Actor, call: DirectCall): Promise<InvocationOutcome> {
  const writes: Promise<void>[] = [];
  const record = ({ audit: rows }: LedgerEntry): Promise<void> =>
    unitOfWork.within(actor.scope, async ({ audit }) => {
      // Its id leads to no run.
      for (const { runId: _runId, ...row } of rows) await audit.record({ ...row, details: { ...row.details, via: call.via } });
    });
  const ledger: InvocationLedger = {
    commit: (entry) => record(entry),
    defer: (entry) => void writes.push(record(entry)),
  };
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
  });
  await Promise.all(writes);
  if (outcome.status !== 'approval-needed') return outcome;
  // Nobody is there to be asked.
  const message = `approval required: ${call.capabilityId}. Ask for it in a chat, where somebody can allow it.`;
  await unitOfWork.within(actor.scope, ({ audit }) =>
    audit.record({
      type: 'capability.denied',
      target: { kind: 'capability', id: call.capabilityId },
      details: { reason: message, via: call.via },
    }),
  );
  return { status: 'refused', invocation: outcome.invocation, code: 'approval_denied', message };
}
