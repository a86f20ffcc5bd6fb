import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExportQueue } from '#db/export-queue.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { AppError, type Clock, type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { type Actor, BUILT_IN_ROLE_PERMISSIONS } from '#lib/tenancy/index.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';
import type { ExportBody } from './contract.ts';
import {
  cancelExport,
  createExport,
  downloadExport,
  type ExportDependencies,
  getExport,
  listExports,
  revealRun,
  type ViewDependencies,
  writeExport,
} from './index.ts';

const EMAIL = 'li.wei@example.com';
const RUNS = 120;

let lab: RunLab;
let owner: Actor;
let auditor: Actor;
let runIds: Id<'run'>[];
let deps: ViewDependencies & ExportDependencies & { revealLastsMs: number };
/** What the next writer finds to be the rights of whoever asked. */
let rights: (userId: Id<'user'>) => Actor;
let now = new Date();
const clock: Clock = { now: () => now };

beforeAll(async () => {
  lab = await createRunLab();
  const session = await lab.aSession();
  owner = session.actor;
  auditor = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.auditor);
  rights = (userId) => (userId === owner.scope.userId ? owner : { ...auditor, scope: { ...auditor.scope, userId } });
  deps = {
    ...lab.runs.source,
    unitOfWork: createUnitOfWork(lab.database.orm, clock),
    clock,
    leaseMs: 20_000,
    revealLastsMs: 600_000,
    actorOf: async ({ userId }) => rights(userId),
  };
  runIds = Array.from({ length: RUNS }, () => newId('run'));
  for (const [number, runId] of runIds.entries()) {
    const ids = { tenant_id: toUuid(owner.scope.tenantId), session_id: toUuid(session.sessionId) };
    const message_id = toUuid(newId('message'));
    const input = number === 3 ? `=HYPERLINK("http://x") ${EMAIL}` : `number ${number}, 奖学金`;
    await lab.owner`insert into run ${lab.owner({ ...ids, id: toUuid(runId), user_id: toUuid(owner.scope.userId), message_id, preset: 'default', input, locale: 'en', time_zone: 'UTC', state: 'FINISH_OK', event_seq: 1, time_limit_ms: 1000, answer: 'done', ended_at: new Date() })}`;
    await lab.owner`insert into message ${lab.owner({ ...ids, id: message_id, run_id: toUuid(runId), role: 'user', text: input, state: 'complete' })}`;
    await lab.owner`insert into run_event ${lab.owner({ tenant_id: ids.tenant_id, run_id: toUuid(runId), seq: 1, type: 'UserPromptSubmitted', payload: JSON.stringify({ text: input }) })}`;
  }
});
afterAll(() => lab.close());

const write = (id: string, dependencies: ExportDependencies = deps) =>
  writeExport(dependencies, { tenantId: owner.scope.tenantId, exportId: id as Id<'export'> });
const ask = (actor: Actor, body: Partial<ExportBody>) => createExport(deps, actor, { format: 'json', bom: false, query: {}, ...body });
const audited = async (type: string) =>
  (await lab.owner`select target_id from audit_event where type = ${type}`).map((row) => String(row.target_id));

async function fileOf(actor: Actor, id: string): Promise<string> {
  let text = '';
  const { pieces } = await downloadExport(deps, actor, id as Id<'export'>);
  for await (const piece of pieces()) text += piece;
  return text;
}

/** As `deps`, until `appends` pieces have been written: then the process is gone. */
function dyingAfter(appends: number): ExportDependencies {
  let left = appends;
  return {
    ...deps,
    unitOfWork: {
      within: (scope, work) =>
        deps.unitOfWork.within(scope, (stores) =>
          work({
            ...stores,
            exports: {
              ...stores.exports,
              append: (...given) => {
                left -= 1;
                if (left < 0) throw new AppError({ code: 'unavailable', message: 'killed' });
                return stores.exports.append(...given);
              },
            },
          }),
        ),
    },
  };
}

describe('an export of a set', () => {
  it('holds every run once, without what is personal, and says so in its name', async () => {
    const { id, fileName, redaction } = await ask(auditor, {});
    expect(fileName).toMatch(/^runs-\d{4}-\d{2}-\d{2}-\d{4}-redacted\.json$/);
    expect(redaction).toBe('redacted');
    await write(id);
    const text = await fileOf(auditor, id);
    const runs: { id: string }[] = JSON.parse(text);
    expect(runs.map((run) => run.id)).toEqual(runIds.toReversed());
    expect(text).not.toContain(EMAIL);
    expect(text).toContain('▇ email');
    const made = await getExport(deps, auditor, id as Id<'export'>);
    expect(made).toMatchObject({ state: 'DONE', runCount: RUNS, totalCount: RUNS, byteCount: Buffer.byteLength(text) });
    expect(await audited('export.created')).toContain(id);
    expect(await audited('export.ended')).toContain(id);
    expect(await audited('export.downloaded')).toEqual([id]);
  });

  it('goes on where a killed process stopped, and loses and repeats nothing', async () => {
    const { id } = await ask(auditor, { format: 'csv', bom: true });
    await expect(write(id, dyingAfter(1))).rejects.toMatchObject({ code: 'unavailable' });
    const queue = createExportQueue(lab.owner);
    // Its lease holds: nobody else writes it yet.
    await write(id);
    expect(await getExport(deps, auditor, id as Id<'export'>)).toMatchObject({ state: 'RUNNING', runCount: 50 });
    expect(await queue.listDue(now, 10)).toEqual([]);
    now = new Date(now.getTime() + 60_000);
    expect(await queue.listDue(now, 10)).toEqual([{ tenantId: owner.scope.tenantId, exportId: id }]);
    await write(id);
    const text = await fileOf(auditor, id);
    expect(text.startsWith('\uFEFFid,state,')).toBe(true);
    const rows = text.trimEnd().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(runIds.toReversed());
    expect(text).toContain('"\'=HYPERLINK(""http://x"") ▇ email"');
    expect(text).toContain('奖学金');
  });

  it('keeps to the filters it was asked with', async () => {
    const { id } = await ask(auditor, { query: { state: 'CANCELLED' } });
    await write(id);
    expect(JSON.parse(await fileOf(auditor, id))).toEqual([]);
  });

  it('is nobody else’s, and needs the right to export', async () => {
    const { id } = await ask(auditor, {});
    const other = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.auditor);
    await expect(getExport(deps, other, id as Id<'export'>)).rejects.toMatchObject({ code: 'not_found' });
    await expect(downloadExport(deps, other, id as Id<'export'>)).rejects.toMatchObject({ code: 'not_found' });
    await expect(cancelExport(deps, other, id as Id<'export'>)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listExports(deps, other)).items).toEqual([]);
    const builder = await lab.aColleague(owner, BUILT_IN_ROLE_PERMISSIONS.builder);
    await expect(ask(builder, {})).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(downloadExport(deps, auditor, id as Id<'export'>)).rejects.toMatchObject({ code: 'conflict' });
    await write(id);
  });

  it('ends when the right to it is gone', async () => {
    const { id } = await ask(auditor, {});
    const before = rights;
    rights = (userId) => ({ ...before(userId), permissions: new Set(BUILT_IN_ROLE_PERMISSIONS.builder) });
    await write(id);
    rights = before;
    expect(await getExport(deps, auditor, id as Id<'export'>)).toMatchObject({ state: 'FAILED' });
  });

  it('is thrown away when it is cancelled, and its writer stops', async () => {
    const { id } = await ask(auditor, {});
    await expect(write(id, dyingAfter(1))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await cancelExport(deps, auditor, id as Id<'export'>)).toMatchObject({ state: 'CANCELLED' });
    now = new Date(now.getTime() + 60_000);
    await write(id);
    expect(await getExport(deps, auditor, id as Id<'export'>)).toMatchObject({ state: 'CANCELLED', byteCount: 0 });
    expect(await audited('export.cancelled')).toEqual([id]);
  });

  it('is deleted after a day', async () => {
    const { id } = await ask(auditor, {});
    await write(id);
    now = new Date(now.getTime() + 25 * 3_600_000);
    await expect(downloadExport(deps, auditor, id as Id<'export'>)).rejects.toMatchObject({ code: 'not_found' });
    await createExportQueue(lab.owner).expire(now);
    expect(await getExport(deps, auditor, id as Id<'export'>)).toMatchObject({ state: 'EXPIRED' });
    expect(await lab.owner`select from run_export_part where export_id = ${toUuid(id as Id<'export'>)}`).toHaveLength(0);
  });

  it('is one of three at most', async () => {
    const open = [await ask(auditor, {}), await ask(auditor, {}), await ask(auditor, {})];
    await expect(ask(auditor, {})).rejects.toMatchObject({ code: 'limit_reached' });
    for (const { id } of open) await cancelExport(deps, auditor, id as Id<'export'>);
  });
});

const personal = () => String(runIds[3]);

describe('an export of one run', () => {
  it('is redacted for those who see it redacted, log and all', async () => {
    now = systemClock.now();
    const { id, fileName } = await ask(auditor, { run: personal(), format: 'csv' });
    expect(fileName).toContain(`${personal()}-`);
    expect(fileName).toMatch(/-redacted\.csv$/);
    await write(id);
    const text = await fileOf(auditor, id);
    expect(text).toMatch(/^seq,at,type,payload\r\n1,/);
    expect(text).not.toContain(EMAIL);
  });

  it('is in plain for its owner, and while it is revealed; a reveal that ended makes no file', async () => {
    const own = await ask(owner, { run: personal() });
    await write(own.id);
    expect(JSON.parse(await fileOf(owner, own.id))).toMatchObject({ run: { id: personal() }, events: [{ seq: 1 }] });
    expect(await fileOf(owner, own.id)).toContain(EMAIL);
    await revealRun(deps, auditor, { runId: personal() as Id<'run'>, reason: 'complaint 9' });
    const revealed = await ask(auditor, { run: personal() });
    expect(revealed.fileName).toMatch(/-plain\.json$/);
    now = new Date(now.getTime() + 11 * 60_000);
    await write(revealed.id);
    expect(await getExport(deps, auditor, revealed.id as Id<'export'>)).toMatchObject({ state: 'FAILED' });
  });

  it('does not exist for a stranger', async () => {
    const { actor: stranger } = await lab.aSession();
    await expect(ask(stranger, { run: personal() })).rejects.toMatchObject({ code: 'not_found' });
  });
});
