import type { PendingQuery, Row, Sql } from 'postgres';
import { moveSession, type PresetEntry, requireOpenPreset } from '#lib/conversations/index.ts';
import { AppError, type Clock, fromUuid, type Id, newId, storableText, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import {
  type Boundary,
  isTerminal,
  mergeBoundaries,
  type NewRun,
  type Question,
  type Run,
  type RunGate,
  type RunObserver,
  type RunRecords,
  type SubmitOutcome,
} from '#lib/supervisor/index.ts';
import { toEngineTransaction } from '../engine-transaction.ts';
import { afterFirstLook } from '../pipelined.ts';
import { closeOpenApprovals, failHandedOn } from './approval-gate.ts';
import { insertRun } from './insert-run.ts';
import type { RunEventBus } from './run-event-bus.ts';
import { shownText } from './run-journal.ts';
import { type Connection, enterTenant, hasOpenTask, lockRun, RunWrites } from './run-lock.ts';
import { readRunRecords, toQuestion, toShownText } from './run-rows.ts';

/** Channel on which a stop that was asked for names the run (its bare uuid). */
export const CANCEL_CHANNEL = 'bailiwick_cancel';

export function createRunGate({
  sql,
  clock,
  bus,
  presets,
  observer,
}: {
  sql: Sql;
  clock: Clock;
  bus: RunEventBus;
  presets: readonly PresetEntry[];
  observer?: RunObserver | undefined;
}): RunGate {
  return {
    async submit(run, enqueue) {
      const writes = new RunWrites({ clock, observer });
      const [tenant, sessionUuid] = [toUuid(run.actor.scope.tenantId), toUuid(run.sessionId)];
      const outcome = await afterFirstLook(
        sql,
        run.actor.scope,
        (tx) => [
          tx`
            select id, preset, state, event_seq from agent_session
            where tenant_id = ${tenant} and id = ${sessionUuid} and user_id = ${toUuid(run.actor.scope.userId)} and deleted_at is null
            for update`,
          // Read after the session was locked: a twin of this request has committed, or waits behind this one.
          tx`select id, message_id, request_hash from run where tenant_id = ${tenant} and session_id = ${sessionUuid} and idempotency_key = ${run.idempotencyKey}`,
          tx`
            select q.run_id from question q join run r on r.tenant_id = q.tenant_id and r.id = q.run_id
            where q.tenant_id = ${tenant} and r.session_id = ${sessionUuid} and q.state = 'OPEN'
            union all
            select a.run_id from approval a join run r on r.tenant_id = a.tenant_id and r.id = a.run_id
            where a.tenant_id = ${tenant} and r.session_id = ${sessionUuid} and a.state = 'OPEN'
            limit 1`,
          tx`
            select count(*)::int as n from run
            where tenant_id = ${tenant} and session_id = ${sessionUuid} and state in ('QUEUED', 'RUNNING', 'WAITING')`,
          tx`select capability_id, mode, needs_other from approval_policy where tenant_id = ${tenant}`,
        ],
        async (
          tx,
          [sessions, earlier, asked, ahead, policies],
        ): Promise<readonly [PendingQuery<Row[]>[], (written: Row[][]) => SubmitOutcome]> => {
          const session = sessions[0];
          if (!session) throw new AppError({ code: 'session_not_found', message: 'session not found' });
          const repeated = earlier[0] && toRepeated(earlier[0]);
          if (repeated) return [[], () => repeated];
          if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(session.state))) {
            throw new AppError({ code: 'session_closed', message: 'This session is closed. Start a new one.' });
          }
          await requirePreset(tx, run.actor.scope, { presets, preset: String(session.preset) });
          await requireParent(tx, run);
          const declined = asked[0] ? await declineWhatIsAsked(tx, run, fromUuid('run', String(asked[0].run_id)), writes) : null;
          if (declined) await enqueue(toEngineTransaction(tx), declined);
          // Made under the session's lock: the order of ids is the order of the session.
          const ids = { runId: newId('run'), messageId: newId('message') };
          // Places grow with the session's record: this one is behind all that were taken in before.
          const place = Number(session.event_seq) + 1;
          const queuePlace = Number(ahead[0]?.n ?? 0);
          const hasBegun = run.mayBegin && queuePlace === 0;
          const engine = toEngineTransaction(tx);
          await enqueue(engine, { runId: ids.runId, segment: 1, place, hasBegun });
          return [
            [insertRun(tx, { ...run, ...ids, hasBegun }, session, clock.now()), ...engine.sent],
            ([rows]: Row[][]) => {
              const inserted = rows?.[0];
              return { status: 'submitted', ...ids, queuePlace, begun: hasBegun && inserted ? ofNewRun(inserted, policies) : null };
            },
          ];
        },
      );
      writes.tell();
      return outcome;
    },

    async requestCancel(scope, runId, by, ending) {
      const writes = new RunWrites({ clock, observer });
      const run = await sql.begin(async (tx): Promise<Run | null> => {
        await enterTenant(tx, scope);
        const locked = await lockRun(tx, scope, runId);
        if (!locked || isTerminal(locked.state) || locked.cancelRequestedAt) return locked;
        const now = clock.now();
        const requested: Run = { ...locked, cancelRequestedAt: now, cancelRequestedBy: by };
        await tx`update run set cancel_requested_at = ${now}, cancel_requested_by = ${toUuid(by)} where tenant_id = ${toUuid(scope.tenantId)} and id = ${toUuid(runId)}`;
        await tx`update question set state = 'WITHDRAWN' where tenant_id = ${toUuid(scope.tenantId)} and run_id = ${toUuid(runId)} and state = 'OPEN'`;
        const withdrawn = await closeOpenApprovals(tx, locked, { to: 'WITHDRAWN', by: null, note: null, at: now });
        const leftBehind = locked.state === 'WAITING' ? await failHandedOn(tx, locked, now) : {};
        const askedFor: Boundary = {
          ...mergeBoundaries(withdrawn, leftBehind),
          audit: [
            ...withdrawn.audit,
            { type: 'run.cancel-requested', target: { kind: 'run', id: runId }, runId, actor: { kind: 'user', id: by } },
          ],
        };
        if (locked.state === 'RUNNING') {
          await writes.write(tx, locked, askedFor);
          await tx`select pg_notify(${CANCEL_CHANNEL}, ${toUuid(runId)})`;
          return requested;
        }
        // Nobody drives it: it ends here, and a driver that comes later finds nothing to do.
        const shown = await shownText(tx, toUuid(scope.tenantId), toUuid(runId));
        const end = ending(requested, toShownText(shown));
        await writes.write(tx, locked, mergeBoundaries(askedFor, end));
        return { ...requested, state: 'CANCELLED' };
      });
      writes.tell();
      bus.tell(runId, null);
      return run;
    },

    async answer(scope, { runId, questionId, answer, by }, enqueue) {
      const writes = new RunWrites({ clock, observer });
      await sql.begin(async (tx) => {
        await enterTenant(tx, scope);
        const run = await lockRun(tx, scope, runId);
        const asked =
          await tx`select * from question where tenant_id = ${toUuid(scope.tenantId)} and run_id = ${toUuid(runId)} and id = ${toUuid(questionId)}`;
        if (!run || !asked[0]) throw new AppError({ code: 'not_found', message: 'There is no such question.' });
        const question = toQuestion(asked[0]);
        if (question.state !== 'OPEN' || isTerminal(run.state)) {
          throw new AppError({
            code: 'already_decided',
            message: 'This question has been answered or withdrawn.',
            details: { answer: question.answer },
          });
        }
        if (!question.options.some((option) => option.value === answer)) {
          throw new AppError({
            code: 'invalid_request',
            message: `Choose one of: ${question.options.map((option) => option.value).join(', ')}.`,
          });
        }
        const goesOn = !(await hasOpenApproval(tx, run)) && !(await hasOpenTask(tx, run));
        await recordAnswer(tx, { run, question, answer, by, goesOn }, writes);
        // With decisions or tasks still open, the last of them lets the run go on.
        if (goesOn) await enqueue(toEngineTransaction(tx), { runId, segment: run.segment + 1 });
      });
      writes.tell();
      bus.tell(runId, null);
    },
  };
}

/** The answer, once, and the run back in the queue under its next segment; whoever calls enqueues it. */
async function recordAnswer(
  tx: Connection,
  { run, question, answer, by, goesOn }: { run: Run; question: Question; answer: string; by: Id<'user'>; goesOn: boolean },
  writes: RunWrites,
): Promise<void> {
  const now = writes.clock.now();
  await tx`
    update question set state = 'ANSWERED', answer = ${storableText(answer)}, answered_by = ${toUuid(by)}, answered_at = ${now}
    where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(question.id)}`;
  if (goesOn) await tx`update run set segment = segment + 1 where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(run.id)}`;
  await writes.write(tx, run, {
    ...(goesOn && {
      run: { state: 'QUEUED' as const },
      session: { events: [moveSession('WAITING_USER', 'EXECUTING', 'answered')] },
    }),
    events: [
      { type: 'question-answered', at: now, payload: { questionId: question.id, answer, by } },
      ...(goesOn ? [{ type: 'run-state' as const, at: now, payload: { from: run.state, to: 'QUEUED', reason: 'answered' } }] : []),
    ],
    audit: [
      {
        type: 'question.answered',
        target: { kind: 'question', id: question.id },
        runId: run.id,
        actor: { kind: 'user', id: by },
        details: { answer },
      },
    ],
  });
}

/**
 * A message to a session that waits goes on without what was asked about, and is the next request (`design.md` section 3, 7).
 */
async function declineWhatIsAsked(
  tx: Connection,
  { actor }: NewRun,
  runId: Id<'run'>,
  writes: RunWrites,
): Promise<{ runId: Id<'run'>; segment: number } | null> {
  const run = await lockRun(tx, actor.scope, runId);
  if (!run || run.state !== 'WAITING') return null;
  const by = actor.scope.userId;
  const at = writes.clock.now();
  const denied = await closeOpenApprovals(tx, run, { to: 'DENIED', by, note: 'another message was sent instead', at });
  const goesOn = !(await hasOpenTask(tx, run));
  const open = await tx`select * from question where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN'`;
  if (open[0]) {
    if (denied.events.length > 0) await writes.write(tx, run, denied);
    await recordAnswer(tx, { run, question: toQuestion(open[0]), answer: 'skip', by, goesOn }, writes);
  } else if (!goesOn) {
    await writes.write(tx, run, denied);
  } else {
    await tx`update run set segment = segment + 1 where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(run.id)}`;
    await writes.write(tx, run, {
      run: { state: 'QUEUED' },
      events: [...denied.events, { type: 'run-state', at, payload: { from: run.state, to: 'QUEUED', reason: 'declined' } }],
      session: { events: [moveSession('WAITING_USER', 'EXECUTING', 'declined')] },
      audit: denied.audit,
    });
  }
  return goesOn ? { runId: run.id, segment: run.segment + 1 } : null;
}

async function hasOpenApproval(tx: Connection, run: Run): Promise<boolean> {
  const open =
    await tx`select 1 from approval where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN' limit 1`;
  return open.length > 0;
}

/** The plugin of a session's preset may have been uninstalled or disabled since the session began (requirement P-22). */
async function requirePreset(
  tx: Connection,
  scope: TenantScope,
  { presets, preset }: { presets: readonly PresetEntry[]; preset: string },
): Promise<void> {
  const pluginId = presets.find(({ key }) => key === preset)?.plugin?.id;
  const installed =
    pluginId === undefined
      ? []
      : await tx`select is_enabled from tenant_plugin_install where tenant_id = ${toUuid(scope.tenantId)} and plugin_id = ${pluginId}`;
  requireOpenPreset(
    presets,
    preset,
    installed.map((row) => ({ pluginId: pluginId ?? '', isEnabled: row.is_enabled === true })),
  );
}

/** A branch begins at a message of this session. */
async function requireParent(tx: Connection, { actor, sessionId, parentId }: NewRun): Promise<void> {
  if (!parentId) return;
  const found = await tx`
    select id from message where tenant_id = ${toUuid(actor.scope.tenantId)} and session_id = ${toUuid(sessionId)} and id = ${toUuid(parentId)}`;
  if (found.length === 0) throw new AppError({ code: 'not_found', message: 'There is no such message in this session to follow.' });
}

/** Nothing has been done for it yet. */
function ofNewRun(row: Row, policies: readonly Row[]): RunRecords {
  return readRunRecords({ row, nodes: [], invocations: [], question: undefined, shown: [], modelCalls: [], approvals: [], policies });
}

function toRepeated(row: Row): SubmitOutcome {
  return {
    status: 'repeated',
    runId: fromUuid('run', String(row.id)),
    messageId: fromUuid('message', String(row.message_id)),
    requestHash: String(row.request_hash ?? ''),
  };
}
