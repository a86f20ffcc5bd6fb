import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { type Actor, BUILT_IN_ROLE_PERMISSIONS } from '#lib/tenancy/index.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';

const EMAIL = 'li.wei@example.com';
const PHONE = '13800138000';
const MESSAGE = `test.effect-read write to ${EMAIL} or ${PHONE} about the scholarship`;

let lab: RunLab;
let owner: Actor;
let auditor: Actor;
let builder: Actor;
let runId: Id<'run'>;

beforeAll(async () => {
  lab = await createRunLab();
  const session = await lab.aSession();
  owner = session.actor;
  auditor = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.auditor);
  builder = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.builder);
  const sent = await lab.runs.submitMessage(owner, { sessionId: session.sessionId, text: MESSAGE });
  runId = sent.runId;
  await lab.readAll(owner, runId);
});
afterAll(() => lab.close());

/** Everything that leaves the server about the run for this reader, as text. */
async function seenBy(reader: Actor): Promise<string> {
  const { record } = lab;
  const run = await record.getRun(reader, runId);
  const seen: unknown[] = [
    run,
    await record.listRuns(reader, { limit: 10 }),
    await record.getTrace(reader, runId),
    await record.readRunEvents(reader, { runId, after: 0, limit: 500 }),
  ];
  for (const { id } of run.invocations) seen.push(await record.getInvocation(reader, { runId, invocationId: id as Id<'invocation'> }));
  for await (const batch of record.followRun(reader, { runId, after: 0, signal: AbortSignal.timeout(10_000) })) seen.push(batch);
  return JSON.stringify(seen);
}

const found = async (q: string) => (await lab.record.listRuns(builder, { limit: 10, q })).items.map(({ id }) => id);

const auditRows = (type: string) =>
  lab.owner`select payload::jsonb as payload, actor_id from audit_event where run_id = ${toUuid(runId)} and type = ${type}`;

describe('reading runs', () => {
  it('shows people their own in plain', async () => {
    const seen = await seenBy(owner);
    expect(seen).toContain(EMAIL);
    expect(seen).toContain(PHONE);
    expect(seen).not.toContain('▇');
    expect(await auditRows('run.read')).toHaveLength(0);
  });

  it('hides what is personal in those of others, wherever it stands, and records the reading once', async () => {
    const seen = await seenBy(builder);
    expect(seen).not.toContain(EMAIL);
    expect(seen).not.toContain(PHONE);
    expect(seen).not.toContain('li.wei');
    expect(seen).toContain('▇ email');
    expect(seen).toContain('▇ phone');
    expect(await lab.record.getRun(builder, runId)).toMatchObject({ viewing: 'redacted', revealedUntil: null });
    expect(await auditRows('run.read')).toMatchObject([{ actor_id: builder.scope.userId }]);
  });

  it('is not possible for those who may read their own alone', async () => {
    const member = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.member);
    await expect(seenBy(member)).rejects.toMatchObject({ code: 'not_found' });
    expect((await lab.record.listRuns(member, { limit: 10 })).items).toEqual([]);
    expect(await lab.record.countRuns(member, { limit: 10 })).toMatchObject({ total: 0, state: [] });
  });

  it('does not let a search tell whose run holds a number', async () => {
    expect(await found('scholarship')).toEqual([runId]);
    expect(await found('schol')).toEqual([runId]);
    expect(await found(PHONE)).toEqual([]);
    expect(await found('example.com')).toEqual([]);
    expect(await found('nothing of the kind')).toEqual([]);
  });
});

describe('revealRun', () => {
  it('is refused without the right', async () => {
    await expect(lab.record.revealRun(builder, { runId, reason: 'curious' })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('shows one run to one person in plain, for a reason that is recorded', async () => {
    expect(await seenBy(auditor)).not.toContain(EMAIL);
    const reveal = await lab.record.revealRun(auditor, { runId, reason: 'complaint 12' });
    expect(Date.parse(reveal.expiresAt) - Date.now()).toBeGreaterThan(9 * 60_000);
    const run = await lab.record.getRun(auditor, runId);
    expect(run).toMatchObject({ viewing: 'revealed', message: MESSAGE, revealedUntil: reveal.expiresAt });
    expect(await auditRows('run.revealed')).toMatchObject([
      { actor_id: auditor.scope.userId, payload: { details: { reason: 'complaint 12', until: reveal.expiresAt } } },
    ]);
    expect(JSON.stringify(await lab.record.listRuns(auditor, { limit: 10 }))).not.toContain(EMAIL);
    expect(await seenBy(builder)).not.toContain(EMAIL);
    const second = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.auditor);
    expect((await lab.record.getRun(second, runId)).viewing).toBe('redacted');
  });

  it('ends with its time, and with the right', async () => {
    const reader = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.auditor);
    await lab.record.revealRun(reader, { runId, reason: 'complaint 13' });
    expect((await lab.record.getRun({ ...reader, permissions: builder.permissions }, runId)).viewing).toBe('redacted');
    await lab.owner`alter table run_reveal disable trigger all`;
    await lab.owner`update run_reveal set expires_at = now() - interval '1 second' where user_id = ${toUuid(reader.scope.userId)}`;
    expect((await lab.record.getRun(reader, runId)).viewing).toBe('redacted');
    expect(await seenBy(reader)).not.toContain(EMAIL);
  });

  it('does not exist for a run of another tenant', async () => {
    const { actor: stranger } = await lab.aSession();
    await expect(lab.record.revealRun(stranger, { runId, reason: 'curious' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(lab.record.getTrace(stranger, runId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await auditRows('run.revealed')).toHaveLength(2);
  });
});

describe('countRuns', () => {
  it('counts what each further choice would leave', async () => {
    const facets = await lab.record.countRuns(builder, { limit: 10, state: 'CANCELLED' });
    expect(facets).toMatchObject({ total: 0, isApproximate: false, state: [{ value: 'FINISH_OK', count: 1 }], preset: [] });
    expect(await lab.record.countRuns(builder, { limit: 10 })).toMatchObject({
      total: 1,
      preset: [{ value: 'default', count: 1 }],
      path: [{ value: 'deterministic', count: 1 }],
      actor: [{ value: owner.scope.userId, count: 1, name: 'Ada' }],
    });
  });
});

describe('getTrace', () => {
  it('has the calls without their content, and the moves of the session', async () => {
    const trace = await lab.record.getTrace(owner, runId);
    expect(trace.run.invocations).toMatchObject([{ capabilityId: 'test.effect-read', state: 'SUCCEEDED' }]);
    expect(JSON.stringify(trace.run.invocations)).not.toContain(EMAIL);
    expect(trace.sessionMoves.map(({ to }) => to)).toEqual(['PLANNING', 'EXECUTING', 'IDLE']);
    expect(trace.events.some(({ type }) => type === 'text-delta')).toBe(false);
  });
});
