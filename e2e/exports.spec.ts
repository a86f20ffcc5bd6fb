import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type postgres from 'postgres';
import { exportList } from '#lib/record/contract.ts';
import { runPage } from '#lib/supervisor/contract.ts';
import { untilAlive } from './chat-page.ts';
import { upTo } from './event-stream-reader.ts';
import { test as base, expect } from './fixtures.ts';
import { expectRefusal, type TenantClient } from './tenant-client.ts';
import { createWorkspace, type Workspace } from './workspaces.ts';

const EMAIL = 'li.wei@example.com';
const RUNS = 60;
/** What a spreadsheet and a parser trip over: quotes, commas, lines, and what looks like a formula. */
const AWKWARD = `=SUM(A1) "said, twice"\nand 奖学金 to ${EMAIL}`;

interface Exporting extends Workspace {
  readonly auditorApi: TenantClient;
  readonly awkwardRun: string;
}

const test = base.extend<object, { exporting: Exporting }>({
  exporting: [
    async ({ origin }, use) => {
      const workspace = await createWorkspace(origin, 'Files Of Runs');
      const auditorApi = await workspace.apiOf(await workspace.addPerson('auditor'));
      const { ownerApi } = workspace;
      const ask = async (text: string) => (await ownerApi.ask((await ownerApi.createSession()).id, text)).snapshot.runId;
      const awkwardRun = await ask(AWKWARD);
      await Promise.all(upTo(RUNS - 1).map((number) => ask(`echo "number ${number}"`)));
      await use({ ...workspace, auditorApi, awkwardRun });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('the runs of a list become a file in the background, whose progress is seen', async ({ page, openAs, exporting, database }) => {
  const { slug, auditorApi } = exporting;
  await openAs(auditorApi);
  await slowly(database, slug, async () => {
    await choose(page, `/${slug}/runs`, 'JSON');
    const row = page.getByRole('main').getByRole('listitem').first();
    await expect(row).toContainText('Being written');
    await expect(row).toContainText(`50 of ${RUNS}`);
    await expect(row.getByRole('progressbar')).toHaveAccessibleName(/redacted\.json: 83%$/);
    await expect(row).toContainText('Ready');
    await expect(row).toContainText(`${RUNS} of ${RUNS}`);
  });
  const { name, text } = await download(page);
  expect(name).toMatch(/^runs-\d{4}-\d{2}-\d{2}-\d{4}-redacted\.json$/);
  const runs = runPage.shape.items.parse(JSON.parse(text));
  expect(runs.map(({ id }) => id)).toEqual(await listedRuns(auditorApi));
  expect(text).not.toContain(EMAIL);
  expect(text).toContain('▇ email');
});

test('what a filter leaves becomes a table that a spreadsheet reads', async ({ page, openAs, exporting }) => {
  const { slug, auditorApi, awkwardRun } = exporting;
  await openAs(auditorApi);
  await choose(page, `/${slug}/runs?q=${encodeURIComponent('奖学金')}`, 'CSV for Excel');
  const { name, text } = await download(page);
  expect(name).toMatch(/^runs-.*-redacted\.csv$/);
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [head = [], ...rows] = parseCsv(text.slice(1));
  expect(rows).toHaveLength(1);
  const row = Object.fromEntries(head.map((column, at) => [column, rows[0]?.[at]]));
  expect(row['id']).toBe(awkwardRun);
  // A formula is text here, and everything else is as it was said but for what is personal.
  expect(row['message']).toBe(`'${AWKWARD.replace(EMAIL, '▇ email')}`);
});

test('a run becomes a file with its whole log: in plain for its owner, redacted for an auditor', async ({ page, openAs, exporting }) => {
  const { slug, ownerApi, auditorApi, awkwardRun } = exporting;
  await openAs(ownerApi);
  await choose(page, `/${slug}/runs/${awkwardRun}`, 'JSON');
  const own = await download(page);
  expect(own.name).toMatch(new RegExp(`^${awkwardRun}-.*-plain\\.json$`));
  const { run, events } = JSON.parse(own.text);
  expect(run).toMatchObject({ id: awkwardRun, message: AWKWARD });
  expect(events).toEqual(await ownerApi.listEvents(awkwardRun));

  await openAs(auditorApi);
  await choose(page, `/${slug}/runs/${awkwardRun}`, 'CSV');
  const redacted = await download(page);
  expect(redacted.name).toMatch(new RegExp(`^${awkwardRun}-.*-redacted\\.csv$`));
  const [head, ...rows] = parseCsv(redacted.text);
  expect(head).toEqual(['seq', 'at', 'type', 'payload']);
  expect(rows.map(([seq]) => Number(seq))).toEqual((await auditorApi.listEvents(awkwardRun)).map(({ seq }) => seq));
  for (const [, , , payload = ''] of rows) expect(JSON.parse(payload)).toEqual(expect.any(Object));
  expect(redacted.text).not.toContain(EMAIL);
});

test('an export is stopped on its way, is nobody else’s, and is on the record', async ({ page, openAs, exporting, database }) => {
  const { slug, auditorApi, ownerApi } = exporting;
  await openAs(auditorApi);
  const row = page.getByRole('main').getByRole('listitem').first();
  await slowly(database, slug, async () => {
    await choose(page, `/${slug}/runs`, 'CSV');
    const stop = row.getByRole('button', { name: /^Stop: runs-.*-redacted\.csv$/ });
    await untilAlive(stop);
    await stop.click();
    await expect(row).toContainText('Stopped');
  });
  const [newest] = (await auditorApi.get('/exports', exportList)).items;
  expect(newest).toMatchObject({ state: 'CANCELLED' });
  expectRefusal(await auditorApi.send(`/exports/${newest?.id}/file`), 409, 'conflict');
  expectRefusal(await ownerApi.send(`/exports/${newest?.id}`), 404, 'not_found');
  await page.goto(`/${slug}/activity?kind=exports`);
  for (const type of ['export.created', 'export.cancelled'])
    await expect(
      page
        .getByRole('listitem')
        .filter({ hasText: type })
        .filter({ hasText: newest?.fileName ?? '' })
        .first(),
    ).toBeVisible();
});

/** While `work` goes on, each piece of this workspace's exports takes its time, so that a person sees it come. */
async function slowly(database: postgres.Sql, slug: string, work: () => Promise<void>): Promise<void> {
  const name = `slow_export_part_${slug.replaceAll('-', '_')}`;
  await database.unsafe(`
    create function ${name}() returns trigger language plpgsql security definer as $$
      begin
        if (select slug from tenant where id = new.tenant_id) = '${slug}' then perform pg_sleep(3); end if;
        return new;
      end $$;
    create trigger ${name} before insert on run_export_part for each row execute function ${name}()`);
  try {
    await work();
  } finally {
    await database.unsafe(`drop trigger ${name} on run_export_part; drop function ${name}()`);
  }
}

/** Chooses a format in the Export menu of a page, which leads to the exports. */
async function choose(page: Page, address: string, format: string): Promise<void> {
  await page.goto(address);
  const open = page.getByRole('button', { name: 'Export' });
  await untilAlive(open);
  await open.click();
  await page.getByRole('menuitem', { name: format, exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible();
}

/** The newest file, once it is ready. */
async function download(page: Page): Promise<{ name: string; text: string }> {
  const newest = page.getByRole('main').getByRole('listitem').first();
  await expect(newest).toContainText('Ready');
  const link = newest.getByRole('link', { name: /^Download/ });
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** The ids of all runs, newest first, as the list pages through them. */
async function listedRuns(api: TenantClient): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { items: { id: string }[]; nextCursor: string | null } = await api.get(
      `/runs?limit=50${cursor && `&cursor=${cursor}`}`,
      runPage,
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

/** Rows of fields, as RFC 4180 has them. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
