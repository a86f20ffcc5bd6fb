import type { Row, Sql } from 'postgres';
import { failUnstarted } from '#lib/capabilities/index.ts';
import { moveSession } from '#lib/conversations/index.ts';
import { AppError, type Clock, fromUuid, type Id, newId, storableJson, storableText, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import type {
  ApprovalDecision,
  ApprovalGate,
  ApprovalView,
  Boundary,
  EnqueueInTransaction,
  Run,
  RunEventEntry,
  RunObserver,
} from '#lib/supervisor/index.ts';
import { toEngineTransaction } from '../engine-transaction.ts';
import { selectApprovals, toApprovalView } from './approval-rows.ts';
import type { RunEventBus } from './run-event-bus.ts';
import { type Connection, enterTenant, hasOpenTask, lockRun, RunWrites } from './run-lock.ts';
import { toInvocation } from './run-rows.ts';

export function createApprovalGate({
  sql,
  clock,
  bus,
  observer,
}: {
  sql: Sql;
  clock: Clock;
  bus: RunEventBus;
  observer?: RunObserver | undefined;
}): ApprovalGate {
  return {
    async decide(scope, approvalId, decision, enqueue) {
      const writes = new RunWrites({ clock, observer });
      const decided = await sql.begin(async (tx) => {
        await enterTenant(tx, scope);
        const asked = await findApproval(tx, scope, approvalId);
        if (!asked) throw new AppError({ code: 'not_found', message: 'There is no such approval.' });
        const runId = asked.runId as Id<'run'>;
        const run = await lockRun(tx, scope, runId);
        // The run is held: of two decisions at the same moment one is here, and the other finds it made. The deadline is the database's.
        const moved = await tx`
          update approval set
            state = ${decision.kind === 'allow' ? 'APPROVED' : 'DENIED'},
            decided_by = ${toUuid(decision.by)}, decided_at = ${clock.now()},
            extent = ${decision.kind === 'allow' ? decision.extent : null},
            note = ${decision.kind === 'deny' && decision.note ? storableText(decision.note) : null}
            ${decision.kind === 'allow' && decision.changed ? changedColumns(tx, decision.changed) : tx``}
          where tenant_id = ${toUuid(scope.tenantId)} and id = ${toUuid(approvalId)} and state = 'OPEN' and expires_at > clock_timestamp()
          returning id`;
        const now = await findApproval(tx, scope, approvalId);
        if (!run || !now || moved.length === 0) throw tooLate(now ?? asked);
        if (decision.kind === 'allow' && decision.changed) {
          await tx`
            update invocation set arguments = ${JSON.stringify(storableJson(decision.changed.arguments))}::text::jsonb, arguments_hash = ${decision.changed.argumentsHash}
            where tenant_id = ${toUuid(scope.tenantId)} and id = ${toUuid(now.invocationId as Id<'invocation'>)}`;
        }
        const granted = decision.kind === 'allow' && decision.extent === 'session' ? await insertGrant(tx, scope, now, decision) : null;
        await goOn(tx, run, { enqueue, writes, reason: 'decided' }, [now], {
          audit: [
            {
              type: 'approval.decided',
              target: { kind: 'approval', id: approvalId },
              runId,
              actor: decision.actor,
              details: {
                state: now.state,
                capabilityId: now.capabilityId,
                argumentsHash: decision.kind === 'allow' && decision.changed ? decision.changed.argumentsHash : asked.argumentsHash,
                ...(now.extent && { extent: now.extent }),
                ...(now.note && { note: now.note }),
                ...(decision.kind === 'allow' && decision.changed && { isChanged: true }),
              },
            },
            ...(granted && decision.kind === 'allow'
              ? [
                  {
                    type: 'approval-grant.created' as const,
                    target: { kind: 'approval-grant', id: granted },
                    runId,
                    actor: decision.actor,
                    details: { capabilityId: now.capabilityId, version: now.capabilityVersion, sameArguments: decision.sameArguments },
                  },
                ]
              : []),
          ],
        });
        return now;
      });
      writes.tell();
      bus.tell(decided.runId as Id<'run'>, null);
      return decided;
    },

    async expire(scope, runId, enqueue) {
      const writes = new RunWrites({ clock, observer });
      const expired = await sql.begin(async (tx) => {
        await enterTenant(tx, scope);
        const run = await lockRun(tx, scope, runId);
        if (!run) return false;
        const moved = await tx`
          update approval set state = 'EXPIRED', decided_at = ${clock.now()}
          where tenant_id = ${toUuid(scope.tenantId)} and run_id = ${toUuid(runId)} and state = 'OPEN' and expires_at <= clock_timestamp()
          returning id`;
        if (moved.length === 0) return false;
        const approvals = await findApprovals(
          tx,
          scope,
          moved.map(({ id }) => fromUuid('approval', String(id))),
        );
        await goOn(tx, run, { enqueue, writes, reason: 'nobody decided in time' }, approvals, {
          audit: approvals.map(({ id }) => ({ type: 'approval.expired', target: { kind: 'approval', id }, runId })),
        });
        return true;
      });
      writes.tell();
      if (expired) bus.tell(runId, null);
      return expired;
    },
  };
}

/**
 * Ends what people are asked about a run, as part of what ends or moves it: returns what goes on record with that. Of a run
 * that is stopped the calls have failed; of one that goes on, its driver says so.
 */
export async function closeOpenApprovals(
  tx: Connection,
  run: Run,
  { to, by, note, at }: { to: 'DENIED' | 'WITHDRAWN'; by: Id<'user'> | null; note: string | null; at: Date },
): Promise<Required<Pick<Boundary, 'events' | 'audit' | 'invocations' | 'transitions'>>> {
  const scope = { tenantId: run.tenantId };
  const moved = await tx`
    update approval set state = ${to}, decided_at = ${at}, decided_by = ${by && toUuid(by)}, note = ${note}
    where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN' returning id, invocation_id`;
  const ids = moved.map(({ id }) => fromUuid('approval', String(id)));
  const approvals = await findApprovals(tx, scope, ids);
  const waiting =
    to === 'WITHDRAWN' && moved.length > 0
      ? await tx`
          select * from invocation
          where tenant_id = ${toUuid(run.tenantId)} and id = any(${moved.map(({ invocation_id }) => String(invocation_id))}::uuid[])`
      : [];
  const failed = waiting.map((row) => failUnstarted(toInvocation(row), 'the run was stopped', at));
  return {
    events: [...approvals.map((approval) => decidedEvent(approval, at)), ...failed.flatMap(({ events }) => events)],
    audit: approvals.map(({ id }) => ({
      type: to === 'DENIED' ? 'approval.decided' : 'approval.withdrawn',
      target: { kind: 'approval', id },
      runId: run.id,
      ...(by && { actor: { kind: 'user', id: by } }),
      details: { state: to, ...(note && { note }) },
    })),
    invocations: failed.map(({ invocation }) => invocation),
    transitions: failed.map(({ transition }) => transition),
  };
}

/** Calls that have handed tasks on end with a run that is stopped while it waits for them. */
export async function failHandedOn(tx: Connection, run: Run, at: Date): Promise<Pick<Boundary, 'events' | 'invocations' | 'transitions'>> {
  const waiting = await tx`
    select * from invocation i
    where i.tenant_id = ${toUuid(run.tenantId)} and i.run_id = ${toUuid(run.id)} and i.state = 'EXECUTING'
      and exists (select from run t where t.tenant_id = i.tenant_id and t.parent_run_id = i.run_id and t.parent_invocation_id = i.id)`;
  const failed = waiting.map((row) => failUnstarted(toInvocation(row), 'the run was stopped', at));
  return {
    events: failed.flatMap(({ events }) => events),
    invocations: failed.map(({ invocation }) => invocation),
    transitions: failed.map(({ transition }) => transition),
  };
}

/** The run goes on once nothing is open any more; until then the decision alone is on record. */
async function goOn(
  tx: Connection,
  run: Run,
  { enqueue, writes, reason }: { enqueue: EnqueueInTransaction; writes: RunWrites; reason: string },
  decided: readonly ApprovalView[],
  boundary: Boundary,
): Promise<void> {
  const at = writes.clock.now();
  const open = await tx`
    select 1 from approval where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN'
    union all
    select 1 from question where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN'`;
  const events = decided.map((approval) => decidedEvent(approval, at));
  if (open.length > 0 || run.state !== 'WAITING' || (await hasOpenTask(tx, run))) return writes.write(tx, run, { ...boundary, events });
  await tx`update run set segment = segment + 1 where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(run.id)}`;
  await writes.write(tx, run, {
    ...boundary,
    run: { state: 'QUEUED' },
    events: [...events, { type: 'run-state', at, payload: { from: 'WAITING', to: 'QUEUED', reason } }],
    session: { events: [moveSession('WAITING_USER', 'EXECUTING', reason)] },
  });
  await enqueue(toEngineTransaction(tx), { runId: run.id, segment: run.segment + 1 });
}

function decidedEvent({ id, state, decidedBy, extent, note, proposedArguments, arguments: args }: ApprovalView, at: Date): RunEventEntry {
  return {
    type: 'approval-decided',
    at,
    payload: {
      approvalId: id,
      state,
      by: decidedBy && { ...decidedBy },
      at: at.toISOString(),
      extent,
      note,
      ...(proposedArguments && { arguments: storableJson(args) as RunEventEntry['payload'] }),
    },
  };
}

function changedColumns(tx: Connection, changed: NonNullable<Extract<ApprovalDecision, { kind: 'allow' }>['changed']>) {
  return tx`, proposed_arguments = arguments, arguments = ${JSON.stringify(storableJson(changed.arguments))}::text::jsonb, arguments_hash = ${changed.argumentsHash}`;
}

async function insertGrant(
  tx: Connection,
  scope: TenantScope,
  approval: ApprovalView,
  { by, sameArguments }: Extract<ApprovalDecision, { kind: 'allow' }>,
): Promise<Id<'approvalGrant'>> {
  const id = newId('approvalGrant');
  await tx`
    insert into approval_grant (tenant_id, id, session_id, capability_id, capability_version, same_arguments, granted_by)
    values (${toUuid(scope.tenantId)}, ${toUuid(id)}, ${toUuid(approval.sessionId as Id<'session'>)}, ${approval.capabilityId}, ${approval.capabilityVersion},
      ${JSON.stringify(storableJson(sameArguments))}::text::jsonb, ${toUuid(by)})`;
  return id;
}

type FoundApproval = ReturnType<typeof toApprovalView> & { readonly argumentsHash: string };

async function findApproval(tx: Connection, scope: TenantScope, id: Id<'approval'>): Promise<FoundApproval | undefined> {
  return (await findApprovals(tx, scope, [id]))[0];
}

async function findApprovals(tx: Connection, scope: TenantScope, ids: readonly Id<'approval'>[]): Promise<FoundApproval[]> {
  if (ids.length === 0) return [];
  const rows = await tx`${selectApprovals(tx)} where a.tenant_id = ${toUuid(scope.tenantId)} and a.id = any(${ids.map(toUuid)}::uuid[])`;
  return rows.map((row: Row) => ({ ...toApprovalView(row), argumentsHash: String(row.arguments_hash) }));
}

/** Says who was faster, and when. */
function tooLate(approval: ApprovalView): AppError {
  const { state, decidedBy, decidedAt } = approval;
  const isDue = state === 'OPEN' || state === 'EXPIRED';
  const word = state === 'APPROVED' ? 'allowed' : state === 'DENIED' ? 'refused' : 'withdrawn';
  return new AppError({
    code: 'already_decided',
    message: isDue ? 'The time for this decision is over.' : `This was ${word}${decidedBy ? ` by ${decidedBy.name}` : ''} before.`,
    details: { state: isDue ? 'EXPIRED' : state, by: decidedBy?.name ?? null, at: decidedAt },
  });
}
