import { setTimeout as sleep } from 'node:timers/promises';
import { untilAlive } from './chat-page.ts';
import { upTo } from './event-stream-reader.ts';
import { test as base, expect } from './fixtures.ts';
import { verifiesWith } from './verifies-in-browser.ts';
import { createWorkspace, type Workspace } from './workspaces.ts';

interface FilledWorkspace extends Workspace {
  readonly stoppedRun: string;
  readonly failedRun: string;
  readonly memberName: string;
}

/** A workspace with 64 runs: answered ones of two people, a stopped one, and one with a call that failed. */
const test = base.extend<object, { filled: FilledWorkspace }>({
  filled: [
    async ({ origin }, use) => {
      const workspace = await createWorkspace(origin, 'Many Runs');
      const { api } = workspace;
      const member = await workspace.addPerson('member');
      const memberApi = await workspace.apiOf(member);
      await memberApi.ask((await memberApi.createSession()).id, 'echo "from a member"');
      const ask = async (text: string) => (await api.ask((await api.createSession()).id, text)).snapshot.runId;
      await Promise.all(upTo(60).map((number) => ask(`echo "number ${number}"`)));
      const stopped = await api.say((await api.createSession()).id, 'stream chunks: 500 chunks, 20 ms; keyed effect "later"');
      await (await api.stream(stopped.runId)).until(({ deltaCount }) => deltaCount > 1);
      await api.send(`/runs/${stopped.runId}/cancel`, { method: 'POST' });
      await api.getEndedRun(stopped.runId);
      const failedRun = await ask('readonly effect "refused once and for all"; echo "and on"');
      await ask('What is 17% of 2,340?');
      await use({ ...workspace, stoppedRun: stopped.runId, failedRun, memberName: member.name });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
const verifies = verifiesWith<Parameters<typeof test>[2]>(test);
test.beforeEach(async ({ openAs, filled }) => openAs(filled.ownerApi));

test('filters stand in the address, survive a reload, and can be taken away one by one', async ({ page, filled }) => {
  await page.goto(`/${filled.slug}/runs`);
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await untilAlive(page.getByRole('button', { name: /^Stopped/ }));
  await expect(rows).toHaveCount(50);
  await page.getByRole('button', { name: /^Stopped/ }).click();
  await expect(page).toHaveURL(/state=CANCELLED/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('stream chunks: 500');
  await page.getByRole('button', { name: /^Finished/ }).click();
  await expect(page).toHaveURL(/state=CANCELLED.*FINISH_OK|FINISH_OK.*CANCELLED/);
  await expect(rows).toHaveCount(50);
  await page.getByRole('searchbox', { name: 'Words of the message' }).fill('number 17');
  await expect(page).toHaveURL(/q=number/);
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('searchbox', { name: 'Words of the message' })).toHaveValue('number 17');
  await untilAlive(page.getByRole('button', { name: /^Stopped/ }));
  await page.getByRole('button', { name: /Remove Words of the message/ }).click();
  await expect(rows).toHaveCount(50);
  // Back brings the filter back.
  await page.goBack();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(new RegExp(`/${filled.slug}/runs$`));

  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Capability' }).selectOption({ label: 'Calculator' });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('17% of 2,340');
  await page.getByRole('combobox', { name: 'Capability' }).selectOption({ label: 'Any' });
  const asked = page.getByRole('combobox', { name: 'Asked by' });
  await asked.selectOption((await asked.locator('option', { hasText: filled.memberName }).getAttribute('value')) ?? '');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('from a member');
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('No run matches these filters')).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(50);
});

test('the list is read on, older runs behind the newest', async ({ page, filled }) => {
  await page.goto(`/${filled.slug}/runs`);
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(50);
  await untilAlive(page.getByRole('button', { name: 'Older' }));
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(rows).toHaveCount(64);
  await expect(rows.last()).toContainText('from a member');
  await expect(page.getByRole('button', { name: 'Older' })).toBeHidden();
});

verifies(['P-04', 'P-06', 'P-16'], 'a run can be read step by step, and a selection has an address', async ({ page, filled }) => {
  await page.goto(`/${filled.slug}/runs/${filled.failedRun}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 call failed');
  const timeline = page.getByRole('list', { name: 'Timeline' });
  const failed = timeline.getByRole('button', { name: /readonly effect.*failed/ });
  await untilAlive(failed);
  await failed.click();
  await expect(page).toHaveURL(/span=/);
  const inspector = page.getByRole('region', { name: 'Details of the selection' });
  await expect(inspector).toContainText('refused once and for all');
  await expect(inspector).toContainText('the effect server answered 500');
  for (const state of ['Requested', 'Checked', 'Running', 'Failed']) await expect(inspector).toContainText(state);
  await page.reload();
  await expect(inspector).toContainText('the effect server answered 500');

  await page.getByRole('link', { name: /^Events/ }).click();
  await expect(page).toHaveURL(/view=events/);
  const filter = page
    .getByRole('textbox', { name: 'Filter by type or content' })
    .or(page.getByRole('searchbox', { name: 'Filter by type or content' }));
  await untilAlive(filter);
  await filter.fill('invocation-state');
  await expect(page.getByRole('main')).toContainText('invocation-state');
  await expect(page.getByRole('main')).not.toContainText('UserPromptSubmitted');
  await filter.fill('no such thing');
  await expect(page.getByText('No event matches')).toBeVisible();

  await page.getByRole('link', { name: 'Plan', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('test.effect-read');
  await expect(page.getByRole('main')).toContainText('No model is configured');
  await page.getByRole('link', { name: 'Open the chat' }).click();
  await expect(page).toHaveURL(/\/chat\/ses_/);
  await expect(page.getByRole('log')).toContainText('and on');
});

test('a stopped run says what had happened by then', async ({ page, filled }) => {
  await page.goto(`/${filled.slug}/runs/${filled.stoppedRun}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Stopped/);
  await expect(page.getByRole('main')).toContainText('stream chunks');
});

test('a run under way moves on by itself', async ({ page, filled }) => {
  const { api, slug } = filled;
  const { runId } = await api.say((await api.createSession()).id, 'stream chunks: 60 chunks, 50 ms');
  await page.goto(`/${slug}/runs/${runId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Queued|Running)/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Finished in .*: 1 step, 1 call$/);
  await expect(page.getByRole('complementary')).toContainText('chunk-60');
});

test('new runs wait behind a button, so that nothing that is read moves', async ({ page, filled }) => {
  test.setTimeout(60_000);
  const { api, slug } = filled;
  const { runId } = await api.say((await api.createSession()).id, 'stream chunks: 3000 chunks, 50 ms');
  await page.goto(`/${slug}/runs`);
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows.first()).toContainText('Running');
  await api.ask((await api.createSession()).id, 'echo "while you looked"');
  await expect(page.getByRole('button', { name: '1 new run' })).toBeVisible({ timeout: 15_000 });
  await expect(rows.first()).toContainText('stream chunks: 3000');
  await page.getByRole('button', { name: '1 new run' }).click();
  await expect(rows.first()).toContainText('while you looked');
  await api.send(`/runs/${runId}/cancel`, { method: 'POST' });
  await expect(rows.nth(1)).toContainText('Stopped', { timeout: 15_000 });
});

verifies('K24', 'instants are shown in the reader’s own zone', async ({ browser, filled, baseURL, openAs, context }) => {
  await openAs(filled.ownerApi);
  const { createdAt } = await filled.api.getRun(filled.failedRun);
  for (const timeZone of ['Asia/Shanghai', 'America/St_Johns']) {
    const elsewhere = await browser.newContext({
      baseURL: baseURL ?? '',
      timezoneId: timeZone,
      locale: 'en-US',
      storageState: await context.storageState(),
    });
    const page = await elsewhere.newPage();
    const shown = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(
      new Date(createdAt),
    );
    // The first page a browser ever asks for cannot know its zone; from then on the server does.
    await page.goto(`/${filled.slug}/runs/${filled.failedRun}`);
    await expect(page.getByRole('main')).toContainText(shown.replace('\u202f', ' '));
    await page.reload();
    await sleep(300);
    await expect(page.getByRole('main')).toContainText(shown.replace('\u202f', ' '));
    await elsewhere.close();
  }
});
