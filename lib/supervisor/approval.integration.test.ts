import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { type Id, type JsonObject, newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import type { ApprovalView, DecideApproval } from './contract.ts';

let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 20_000 });
  runs = lab.runs;
});
afterAll(() => lab?.close());

const ALLOW: DecideApproval = { decision: 'allow', extent: 'once', sameArguments: [] };

/** A run that waits for decisions, each of them open. */
async function waiting(text: string, of?: Actor) {
  const { actor, sessionId } = await lab.aSession('default', of);
  const { runId } = await runs.submitMessage(actor, { sessionId, text });
  return { actor, sessionId, runId, approval: await openApproval(actor, runId) };
}

async function openApproval(actor: Actor, runId: Id<'run'>): Promise<ApprovalView> {
  return eventually(async () => {
    const run = await runs.getRun(actor, runId);
    return run.state === 'WAITING' && run.approvals.find(({ state }) => state === 'OPEN');
  });
}

const decide = (actor: Actor, { id }: ApprovalView, decision: DecideApproval) => runs.decideApproval(actor, id as Id<'approval'>, decision);

async function toEnd(actor: Actor, runId: Id<'run'>) {
  await lab.readAll(actor, runId);
  return runs.getRun(actor, runId);
}

const hashOf = (row: JsonObject | undefined) =>
  z.object({ details: z.object({ argumentsHash: z.string() }) }).parse(row).details.argumentsHash;

const setPolicy = (actor: Actor, capabilityId: string, mode: string | null, needsOther = false) => lab.owner`
  insert into approval_policy (tenant_id, capability_id, mode, needs_other, updated_by)
  values (${toUuid(actor.scope.tenantId)}, ${capabilityId}, ${mode}, ${needsOther}, ${toUuid(actor.scope.userId)})
  on conflict (tenant_id, capability_id) do update set mode = ${mode}, needs_other = ${needsOther}`;

const auditOf = async (runId: Id<'run'>, type: string): Promise<JsonObject[]> =>
  (await lab.owner`select payload from audit_event where run_id = ${toUuid(runId)} and type = ${type} order by id`).map((row) =>
    JSON.parse(row.payload),
  );

describe('a call that cannot be undone', () => {
  verifies(['H-13', 'P-16'], 'waits for a decision that holds nothing, and runs once it is allowed', async () => {
    const { actor, sessionId, runId, approval } = await waiting('test.effect-destructive wipe | test.effect-read after');
    expect(approval).toMatchObject({
      capabilityId: 'test.effect-destructive',
      capabilityVersion: '1.0.0',
      arguments: { label: 'wipe' },
      risk: 'destructive',
      reason: 'destructive',
      state: 'OPEN',
      requestedBy: { userId: actor.scope.userId, name: 'Ada' },
    });
    expect(new Date(approval.expiresAt).getTime() - new Date(approval.createdAt).getTime()).toBeGreaterThan(86_000_000);
    const before = await runs.getRun(actor, runId);
    expect(before.invocations).toMatchObject([{ state: 'ARGUMENTS_VALIDATED', attempt: 0 }]);
    // Longer than it takes for a run that stands still to be looked after: this one waits.
    await sleep(1_200);
    expect(await runs.getRun(actor, runId)).toEqual(before);
    expect(lab.effects.of('wipe')).toHaveLength(0);
    const slots =
      await lab.owner`select 1 from dbos.workflow_status where workflow_uuid like ${`${runId}%`} and status in ('ENQUEUED', 'PENDING')`;
    expect(slots).toHaveLength(0);
    const [session] = await lab.owner`select state from agent_session where id = ${toUuid(sessionId)}`;
    expect(session?.state).toBe('WAITING_USER');

    expect(await decide(actor, approval, ALLOW)).toMatchObject({ state: 'APPROVED', extent: 'once', decidedBy: { name: 'Ada' } });
    const run = await toEnd(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'done: wipe\n\ndone: after' });
    expect(run.invocations[0]?.transitions.map(({ to, reason }) => [to, reason])).toEqual([
      ['REQUESTED', 'asked for by the plan'],
      ['ARGUMENTS_VALIDATED', 'arguments match the schema; somebody has to decide'],
      ['EXECUTING', 'allowed by Ada'],
      ['SUCCEEDED', 'answered'],
    ]);
    expect(lab.effects.of('wipe')).toHaveLength(1);
    const hash =
      run.invocations[0] && (await lab.owner`select arguments_hash from invocation where run_id = ${toUuid(runId)} and step = 0`);
    expect(await auditOf(runId, 'approval.requested')).toMatchObject([{ details: { argumentsHash: hash?.[0]?.arguments_hash } }]);
    expect(await auditOf(runId, 'approval.decided')).toMatchObject([
      { actor: { kind: 'user', id: actor.scope.userId }, details: { state: 'APPROVED', argumentsHash: hash?.[0]?.arguments_hash } },
    ]);
  });

  verifies('H-13', 'is left out when somebody says no, and the run goes on and says so', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive spared | test.effect-read beside');
    await decide(actor, approval, { decision: 'deny', note: 'not this one' });
    const run = await toEnd(actor, runId);
    expect(run.state).toBe('FINISH_OK');
    expect(run.invocations.map(({ state }) => state)).toEqual(['FAILED', 'SUCCEEDED']);
    expect(run.invocations[0]?.error).toEqual({
      code: 'approval_denied',
      message: 'not allowed: test.effect-destructive, Ada said no: not this one',
    });
    expect(run.answer).toContain('Ada said no: not this one');
    expect(run.answer).toContain('done: beside');
    expect(lab.effects.of('spared')).toHaveLength(0);
  });

  it('ends its run in order when nothing else was asked for and somebody says no', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive alone');
    await decide(actor, approval, { decision: 'deny' });
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK', callsFailed: 1 });
  });

  verifies(['H-13', 'K30'], 'is decided once, however many decide at the same moment, and the others hear who was faster', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive raced');
    const other = await lab.aColleague(actor);
    const decisions = await Promise.allSettled([
      decide(actor, approval, ALLOW),
      decide(other, approval, { decision: 'deny', note: 'no' }),
      decide(actor, approval, ALLOW),
      decide(other, approval, ALLOW),
    ]);
    const won = decisions.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const late of decisions) {
      if (late.status !== 'rejected') continue;
      expect(late.reason).toMatchObject({ code: 'already_decided', details: { by: 'Ada', at: expect.any(String) } });
    }
    await toEnd(actor, runId);
    expect(await auditOf(runId, 'approval.decided')).toHaveLength(1);
    expect(lab.effects.of('raced').length).toBeLessThanOrEqual(1);
  });

  verifies('H-13', 'counts as refused when nobody decides within its time by the database’s clock', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive overdue');
    await lab.owner`update approval set expires_at = clock_timestamp() - interval '1 second' where id = ${toUuid(approval.id as Id<'approval'>)}`;
    await expect(decide(actor, approval, ALLOW)).rejects.toMatchObject({ code: 'already_decided', details: { state: 'EXPIRED' } });
    const run = await toEnd(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', approvals: [{ state: 'EXPIRED' }] });
    expect(run.invocations[0]?.error?.code).toBe('approval_expired');
    expect(lab.effects.of('overdue')).toHaveLength(0);
  });

  it('is withdrawn with its run, and has failed without having begun', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive stopped');
    await runs.cancelRun(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run).toMatchObject({ state: 'CANCELLED', approvals: [{ state: 'WITHDRAWN' }], invocations: [{ state: 'FAILED', attempt: 0 }] });
    await expect(decide(actor, approval, ALLOW)).rejects.toMatchObject({ code: 'already_decided' });
    expect(await auditOf(runId, 'approval.withdrawn')).toHaveLength(1);
  });

  it('is declined by another message, which is taken as the next request', async () => {
    const { actor, sessionId, runId } = await waiting('test.effect-destructive left');
    const next = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read next' });
    expect(await toEnd(actor, next.runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: next' });
    expect(await runs.getRun(actor, runId)).toMatchObject({
      state: 'FINISH_OK',
      approvals: [{ state: 'DENIED', note: 'another message was sent instead' }],
    });
    expect(lab.effects.of('left')).toHaveLength(0);
  });

  verifies('H-13', 'runs with other arguments when somebody changes them, and these are checked and bound anew', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive all of it');
    const change = (args: Record<string, string | number | boolean>) =>
      decide(actor, approval, { ...ALLOW, decision: 'allow', arguments: args });
    await expect(change({ label: 7 })).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(change({ label: 'x', extra: true })).rejects.toMatchObject({ code: 'invalid_arguments' });
    const decided = await change({ label: 'only this' });
    expect(decided).toMatchObject({ arguments: { label: 'only this' }, proposedArguments: { label: 'all of it' } });
    const run = await toEnd(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'done: only this' });
    expect([lab.effects.of('only this').length, lab.effects.of('all of it').length]).toEqual([1, 0]);
    const [requested] = await auditOf(runId, 'approval.requested');
    const [made] = await auditOf(runId, 'approval.decided');
    const [invoked] = await auditOf(runId, 'capability.invoked');
    expect(hashOf(made)).toBe(hashOf(invoked));
    expect(hashOf(made)).not.toBe(hashOf(requested));
  });

  verifies('H-13', 'is asked about again when the tool has changed between the decision and the call', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive versioned');
    await lab.owner`update approval set arguments_hash = 'of another version' where id = ${toUuid(approval.id as Id<'approval'>)}`;
    await decide(actor, approval, ALLOW);
    const again = await eventually(async () => {
      const open = (await runs.getRun(actor, runId)).approvals.find(({ state }) => state === 'OPEN');
      return open?.id !== approval.id && open;
    });
    expect(lab.effects.of('versioned')).toHaveLength(0);
    await decide(actor, again, ALLOW);
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK' });
    expect(lab.effects.of('versioned')).toHaveLength(1);
  });

  it('is never allowed for a whole session', async () => {
    const { actor, approval } = await waiting('test.effect-destructive session');
    await expect(decide(actor, approval, { ...ALLOW, extent: 'session' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  verifies('H-13', 'waits through the end of its process, and a decision that was made is not asked for again', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive survived');
    await lab.cutOff(runId);
    await decide(actor, approval, ALLOW);
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK', answer: 'done: survived' });
    expect(lab.effects.of('survived')).toHaveLength(1);
    expect(await auditOf(runId, 'approval.requested')).toHaveLength(1);
  });
});

describe('who decides', () => {
  it('is whoever asked, and those with the right; for others there is no such approval', async () => {
    const { actor, runId, approval } = await waiting('test.effect-destructive whose');
    const colleague = await lab.aColleague(actor, ['tenant:read', 'conversation:write', 'capability:invoke']);
    await expect(decide(colleague, approval, ALLOW)).rejects.toMatchObject({ code: 'not_found' });
    const stranger = (await lab.aSession()).actor;
    await expect(decide(stranger, approval, ALLOW)).rejects.toMatchObject({ code: 'not_found' });
    const admin = await lab.aColleague(actor, ['tenant:read', 'approval:decide']);
    await decide(admin, approval, ALLOW);
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK' });
  });

  it('is no API key without the right, for its own person’s run neither', async () => {
    const { actor, approval } = await waiting('test.effect-destructive keyed');
    const key: Actor = {
      ...actor,
      kind: 'api-key',
      apiKeyId: newId('apiKey'),
      permissions: new Set(['conversation:write', 'capability:invoke']),
    };
    await expect(decide(key, approval, ALLOW)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  verifies('H-13', 'is somebody else than whoever asked, where it takes four eyes, by the API too', async () => {
    const { actor: owner } = await lab.aSession();
    await setPolicy(owner, 'test.effect-keyed', null, true);
    const { actor, runId, approval } = await waiting('test.effect-keyed four', owner);
    expect(approval).toMatchObject({ needsOther: true, reason: 'policy', risk: 'write' });
    const key: Actor = { ...actor, kind: 'api-key', apiKeyId: newId('apiKey') };
    for (const requester of [actor, key]) {
      await expect(decide(requester, approval, ALLOW)).rejects.toMatchObject({ code: 'permission_denied', details: { rule: 'four-eyes' } });
    }
    const other = await lab.aColleague(actor);
    await expect(decide(other, approval, { ...ALLOW, extent: 'session' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await decide(other, approval, ALLOW);
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK' });
  });
});

describe('what is asked about', () => {
  verifies('H-13', 'reading and one’s own writing run unasked', async () => {
    const { actor, sessionId } = await lab.aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read plain | test.effect-keyed own' });
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK', approvals: [] });
  });

  verifies('H-13', 'writing is, once content from outside has entered the run', async () => {
    const { actor, runId, approval } = await waiting('test.effect-keyed before | test.effect-outside mail | test.effect-keyed tainted');
    expect(approval).toMatchObject({ reason: 'outside-content', arguments: { label: 'tainted' } });
    expect([lab.effects.of('before').length, lab.effects.of('tainted').length]).toEqual([1, 0]);
    await decide(actor, approval, ALLOW);
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK' });
    expect(lab.effects.of('tainted')).toHaveLength(1);
  });

  verifies('H-13', 'what the tenant has set goes before: ask, never, forbid', async () => {
    const { actor } = await lab.aSession();
    await setPolicy(actor, 'test.effect-read', 'ask');
    const read = await waiting('test.effect-read asked', actor);
    expect(read.approval).toMatchObject({ reason: 'policy', risk: 'read' });
    await decide(actor, read.approval, ALLOW);
    expect(await toEnd(actor, read.runId)).toMatchObject({ state: 'FINISH_OK' });

    await setPolicy(actor, 'test.effect-destructive', 'never');
    const free = await lab.aSession('default', actor);
    const { runId } = await runs.submitMessage(actor, { sessionId: free.sessionId, text: 'test.effect-destructive trusted' });
    const run = await toEnd(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', approvals: [] });
    expect(run.invocations[0]?.transitions.map(({ reason }) => reason)).toContain('allowed by policy');

    await setPolicy(actor, 'test.effect-read', 'forbid');
    const barred = await runs.submitMessage(actor, { sessionId: free.sessionId, text: 'test.effect-read barred' });
    expect(await toEnd(actor, barred.runId)).toMatchObject({ state: 'FINISH_ERROR', error: { code: 'forbidden_by_policy' } });
    expect(lab.effects.of('barred')).toHaveLength(0);
  });
});

describe('what was allowed for a session', () => {
  const taint = 'test.effect-outside o | test.effect-keyed';

  verifies('H-13', 'holds for calls of that session with the arguments it names, until it is revoked', async () => {
    const { actor, sessionId, runId, approval } = await waiting(`${taint} daily`);
    await decide(actor, approval, { decision: 'allow', extent: 'session', sameArguments: ['label'] });
    expect(await toEnd(actor, runId)).toMatchObject({ state: 'FINISH_OK' });
    const ask = (text: string) => runs.submitMessage(actor, { sessionId, text });

    const same = await ask(`${taint} daily`);
    const run = await toEnd(actor, same.runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', approvals: [] });
    expect(run.invocations[1]?.transitions.map(({ reason }) => reason)).toContain('allowed for this session');
    expect(lab.effects.of('daily')).toHaveLength(2);
    expect(await auditOf(runId, 'approval-grant.created')).toHaveLength(1);

    const other = await ask(`${taint} weekly`);
    await decide(actor, await openApproval(actor, other.runId), { decision: 'deny' });
    await toEnd(actor, other.runId);
    // Another session of the same person has it not.
    const elsewhere = await waiting(`${taint} daily`, actor);
    await decide(actor, elsewhere.approval, { decision: 'deny' });

    const { items } = await lab.approvalGrants.list(actor);
    expect(items).toMatchObject([{ sessionId, capabilityId: 'test.effect-keyed', sameArguments: { label: 'daily' } }]);
    const colleague = await lab.aColleague(actor, ['tenant:read']);
    const id = items[0]?.id as Id<'approvalGrant'>;
    await expect(lab.approvalGrants.revoke(colleague, id)).rejects.toMatchObject({ code: 'not_found' });
    await lab.approvalGrants.revoke({ ...actor, permissions: new Set(['tenant:read']) }, id);
    const after = await ask(`${taint} daily`);
    await openApproval(actor, after.runId);
    expect(lab.effects.of('daily')).toHaveLength(2);
    expect((await lab.approvalGrants.list(actor)).items).toEqual([]);
  });
});

describe('the inbox', () => {
  it('has what its reader may decide, oldest first, and counts all of it', async () => {
    const first = await waiting('test.effect-destructive inbox-1');
    const { actor } = first;
    const second = await waiting('test.effect-destructive inbox-2', actor);
    const inbox = await runs.readInbox(actor);
    expect(inbox.count).toBe(2);
    expect(inbox.approvals.map(({ id, isOwn }) => [id, isOwn])).toEqual([
      [first.approval.id, true],
      [second.approval.id, true],
    ]);
    const colleague = await lab.aColleague(actor, ['tenant:read']);
    expect(await runs.readInbox(colleague)).toEqual({ approvals: [], questions: [], count: 0 });
    const admin = await lab.aColleague(actor, ['tenant:read', 'approval:decide']);
    expect(await runs.readInbox(admin)).toMatchObject({ count: 2, approvals: [{ isOwn: false }, { isOwn: false }] });
    expect((await runs.readInbox((await lab.aSession()).actor)).count).toBe(0);
    await decide(actor, first.approval, { decision: 'deny' });
    expect((await runs.readInbox(actor)).count).toBe(1);
  });
});
