import type { Page } from '@playwright/test';
import { untilAlive } from './chat-page.ts';
import { test as base, expect, signBrowserIn } from './fixtures.ts';
import type { Person } from './sign-in.ts';
import { expectRefusal, type TenantClient } from './tenant-client.ts';
import { createWorkspace, type Workspace } from './workspaces.ts';

const EMAIL = 'li.wei@example.com';
const PHONE = '13800138000';

interface Record extends Workspace {
  readonly auditor: Person;
  readonly auditorApi: TenantClient;
  readonly member: Person & { readonly userId: string };
  /** The owner's, with somebody's address and number in it. */
  readonly personalRun: string;
  /** The member's, one of whose calls failed. */
  readonly failedRun: string;
}

async function ask(api: TenantClient, text: string): Promise<string> {
  return (await api.ask((await api.createSession()).id, text)).snapshot.runId;
}

/** A workspace with something to audit. */
const test = base.extend<object, { record: Record }>({
  record: [
    async ({ origin }, use) => {
      const workspace = await createWorkspace(origin, 'On The Record');
      const [auditor, member] = [await workspace.addPerson('auditor'), await workspace.addPerson('member')];
      const memberApi = await workspace.apiOf(member);
      const personalRun = await ask(workspace.ownerApi, `echo "write to ${EMAIL} or ${PHONE} about the scholarship"`);
      const failedRun = await ask(memberApi, 'echo "the gull"; readonly effect "refused once and for all"; echo "and on"');
      for (const text of ['echo "the heron"', 'echo "the plover"']) await ask(memberApi, text);
      await use({ ...workspace, auditor, auditorApi: await workspace.apiOf(auditor), member, personalRun, failedRun });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

const main = (page: Page) => page.getByRole('main');
const inspector = (page: Page) => page.getByRole('region', { name: 'Details of the selection' });
const entries = (page: Page) => page.getByRole('list', { name: 'What was done, newest first' }).getByRole('listitem');
/** An entry of the activity, by what was done. */
const entry = (page: Page, type: string) =>
  entries(page)
    .filter({ has: page.locator('summary', { hasText: type }) })
    .first();

test('an auditor sees a run without what is personal, and in plain for a reason, for a while, on the record', async ({
  page,
  openAs,
  record,
}) => {
  const { slug, auditor, auditorApi, personalRun } = record;
  await openAs(auditorApi);
  await page.goto(`/${slug}/runs/${personalRun}`);
  await expect(main(page)).toContainText('What is personal in this run is hidden.');
  await expect(main(page)).toContainText('write to ▇ email or ▇ phone about the scholarship');
  expect(await page.content()).not.toContain(EMAIL);

  const open = page.getByRole('button', { name: 'Reveal…' });
  await untilAlive(open);
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Show this run in plain' });
  await expect(dialog).toContainText('For 10.0 s, for you alone.');
  await expect(dialog.getByRole('button', { name: 'Reveal', exact: true })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('complaint 12');
  await dialog.getByRole('button', { name: 'Reveal', exact: true }).click();
  await expect(main(page).getByText('Shown in plain, on the record, until')).toBeVisible();
  await expect(inspector(page)).toContainText(`write to ${EMAIL} or ${PHONE}`);
  await expect(dialog).toHaveCount(0);

  // It ends by itself, on the page that is open and for the next that is asked for.
  await expect(main(page)).toContainText('What is personal in this run is hidden.');
  await expect(inspector(page)).toContainText('write to ▇ email or ▇ phone');
  await page.reload();
  await expect(inspector(page)).toContainText('write to ▇ email or ▇ phone');
  expect(await page.content()).not.toContain(EMAIL);

  await page.goto(`/${slug}/activity?kind=reading&run=${personalRun}`);
  const revealed = entry(page, 'run.revealed');
  await expect(revealed).toContainText(auditor.name);
  await expect(entry(page, 'run.read')).toContainText(auditor.name);
  await revealed.locator('summary').click();
  await expect(revealed).toContainText('complaint 12');
  await revealed.getByRole('link', { name: 'Open the run' }).click();
  await expect(page).toHaveURL(`/${slug}/runs/${personalRun}`);
});

test('who may not reveal is not offered it, and is refused', async ({ page, openAs, record }) => {
  const { slug, personalRun, failedRun, member } = record;
  const builderApi = await record.apiOf(await record.addPerson('builder'));
  await openAs(builderApi);
  await page.goto(`/${slug}/runs/${personalRun}`);
  await expect(main(page)).toContainText('write to ▇ email or ▇ phone');
  await expect(page.getByRole('button', { name: 'Reveal…' })).toHaveCount(0);
  const asked = { json: { reason: 'curious' } };
  expectRefusal(await builderApi.send(`/runs/${personalRun}/reveal`, asked), 403, 'permission_denied');

  // For a member, a run of somebody else is as one that never was; their own is theirs in plain.
  const memberApi = await record.apiOf(member);
  await openAs(memberApi);
  await page.goto(`/${slug}/runs/${personalRun}`);
  await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();
  expectRefusal(await memberApi.send(`/runs/${personalRun}/trace`), 404, 'not_found');
  expectRefusal(await memberApi.send(`/runs/${personalRun}/reveal`, asked), 403, 'permission_denied');
  await page.goto(`/${slug}/runs/${failedRun}`);
  await expect(inspector(page)).toContainText('the gull');
  await expect(main(page)).not.toContainText('What is personal in this run is hidden.');
});

test('an auditor’s day, by the keyboard alone', async ({ page, context, record }) => {
  test.setTimeout(180_000);
  const { slug, auditor, member, failedRun, ownerApi } = record;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ownerApi.send(`/members/${member.userId}`, { method: 'PATCH', json: { roleKey: 'builder' } });

  // Signs in, at the second try.
  await page.goto('/sign-in');
  await untilAlive(page.getByRole('button', { name: 'Sign in' }));
  await page.getByRole('textbox', { name: 'Email' }).focus();
  await page.keyboard.type(auditor.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible();
  await page.getByLabel('Password').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(auditor.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/${slug}/`));
  await untilAlive(page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /^Find/ }));

  // Finds a run by a word, and opens it.
  await goTo(page, 'a', `/${slug}/activity`);
  await expect(entries(page).first()).toBeVisible();
  await goTo(page, 'r', `/${slug}/runs`);
  const words = page.getByRole('searchbox', { name: 'Words of the message' });
  await untilAlive(words);
  // The page listens for its keys a moment after it is shown.
  await expect(async () => {
    if (!(await words.evaluate((node) => node === document.activeElement))) await page.keyboard.press('/');
    await expect(words).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type('gull');
  await expect(page).toHaveURL(/q=gull/);
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await expect(rows.first().getByRole('link')).toBeFocused();
  // Looks into it first: the list keeps the focus.
  await page.keyboard.press('Space');
  const peek = page.getByRole('complementary', { name: 'The run beside the list' });
  await expect(peek).toContainText('1 call failed');
  await expect(peek).toContainText('the gull');
  await expect(rows.first().getByRole('link')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(peek).toHaveCount(0);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/runs/${failedRun}`));
  await untilAlive(page.getByRole('link', { name: 'Tree' }));

  // F goes to what failed; the views follow the selection.
  await page.keyboard.press('f');
  await expect(page).toHaveURL(/span=inv_/);
  await expect(inspector(page)).toContainText('the effect server answered 500');
  await page.keyboard.press('2');
  await expect(page).toHaveURL(/view=tree&span=inv_/);
  const tree = page.getByRole('treegrid');
  await expect(tree.getByRole('row', { selected: true })).toContainText('failed');
  await walkTo(page, tree.getByRole('row', { selected: true }).locator('[data-row]'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(tree.locator('[aria-expanded=false]')).toHaveCount(1);
  await page.keyboard.press('ArrowRight');
  await expect(tree.locator('[aria-expanded=false]')).toHaveCount(0);
  await page.keyboard.press('4');
  await expect(page).toHaveURL(/view=states&span=inv_/);
  await expect(page.getByRole('table').getByRole('button', { pressed: true })).toBeVisible();
  await page.keyboard.press('3');
  await expect(page).toHaveURL(/view=events&span=inv_/);
  await page.keyboard.press('1');
  await expect(page).toHaveURL(/view=timeline&span=inv_/);
  // Closer, and back to the whole.
  const position = page.getByRole('slider', { name: 'Position in time' });
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect(position).toBeVisible();
  await expect(page.getByRole('list', { name: 'Timeline' }).getByRole('button', { pressed: true })).toBeVisible();
  await page.keyboard.press('-');
  await expect(position).toBeVisible();
  await page.keyboard.press('0');
  await expect(position).toHaveCount(0);
  await page.keyboard.press('y');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

  // What was changed, with before and after.
  await goTo(page, 'a', `/${slug}/activity`);
  await openEntry(page, 'member.changed');
  const change = entry(page, 'member.changed').getByRole('row').filter({ hasText: 'builder' });
  await expect(change.locator('del')).toContainText('member');
  await expect(change.locator('ins')).toContainText('builder');
  // Who could not sign in, and from where.
  await openEntry(page, 'sign-in.failed');
  await expect(entry(page, 'sign-in.failed')).toContainText('127.0.0.1');
  await expect(entry(page, 'sign-in.failed')).toContainText('wrong-password');
  // From an entry to its run.
  const reading = entries(page).filter({ hasText: failedRun }).filter({ hasText: 'run.read' }).first();
  await walkTo(page, reading.locator('summary'));
  await page.keyboard.press('Enter');
  await walkTo(page, reading.getByRole('link', { name: 'Open the run' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/${slug}/runs/${failedRun}`);
});

test('to see runs in a list is not to have read them: only those that were opened are on the record', async ({ page, openAs, record }) => {
  const { slug, failedRun } = record;
  const auditor = await record.addPerson('auditor');
  await openAs(await record.apiOf(auditor));
  await page.goto(`/${slug}/runs`);
  const links = page.getByRole('row').getByRole('link');
  await untilAlive(links.first());
  await page.waitForLoadState('networkidle');
  await page.getByRole('row').filter({ hasText: 'the gull' }).getByRole('link').click();
  await expect(inspector(page)).toContainText('the gull');
  await page.waitForLoadState('networkidle');
  await page.goto(`/${slug}/activity?kind=reading&actor=${auditor.userId}`);
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page)).toContainText(failedRun);
});

test('an address opens the same selection for whoever follows it', async ({ page, browser, baseURL, openAs, record }) => {
  const { slug, failedRun, ownerApi, auditorApi } = record;
  await openAs(ownerApi);
  await page.goto(`/${slug}/runs/${failedRun}?view=tree`);
  const failed = page
    .getByRole('treegrid')
    .getByRole('row', { name: /failed/ })
    .last()
    .locator('[data-row]');
  await untilAlive(failed);
  await failed.click();
  await expect(page).toHaveURL(/view=tree&span=inv_/);
  await page.getByRole('link', { name: 'States' }).click();
  await expect(page).toHaveURL(/view=states&span=inv_/);

  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-US' });
  await signBrowserIn(elsewhere, auditorApi);
  const shared = await elsewhere.newPage();
  await shared.goto(page.url());
  await expect(shared.getByRole('table').getByRole('button', { pressed: true })).toBeVisible();
  await expect(inspector(shared)).toContainText('the effect server answered 500');
  await elsewhere.close();

  // The same of a list: its filters are in the address.
  await page.goto(`/${slug}/runs?q=heron&state=FINISH_OK`);
  await expect(page.getByRole('searchbox', { name: 'Words of the message' })).toHaveValue('heron');
  await expect(page.getByRole('row').filter({ has: page.getByRole('link') })).toHaveCount(1);
});

test('J and K go through the runs of the list a run was opened from, and the peek follows', async ({ page, openAs, record }) => {
  const { slug, ownerApi } = record;
  await openAs(ownerApi);
  await page.goto(`/${slug}/runs`);
  const links = page.getByRole('row').getByRole('link');
  await untilAlive(links.first());
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const peek = page.getByRole('complementary', { name: 'The run beside the list' });
  await expect(peek).toContainText('the plover');
  await page.keyboard.press('j');
  await expect(peek).toContainText('the heron');
  await expect(links.nth(1)).toBeFocused();
  await peek.getByRole('link', { name: 'Open' }).click();
  await expect(inspector(page)).toContainText('the heron');
  await expect(page.getByRole('link', { name: 'Next run' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(inspector(page)).toContainText('the gull');
  await expect(page.getByRole('link', { name: 'Previous run' })).toBeVisible();
  await page.keyboard.press('k');
  await expect(inspector(page)).toContainText('the heron');
});

/** G and a letter. */
async function goTo(page: Page, letter: string, address: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
  await expect(page).toHaveURL(address);
}

/** Presses Tab until an element has the focus. */
async function walkTo(page: Page, element: ReturnType<Page['locator']>): Promise<void> {
  await expect(element).toBeVisible();
  for (let press = 0; press < 200; press += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there');
}

async function openEntry(page: Page, type: string): Promise<void> {
  await expect(entry(page, type)).toBeVisible();
  await walkTo(page, entry(page, type).locator('summary'));
  await page.keyboard.press('Enter');
  await expect(entry(page, type).locator('details')).toHaveAttribute('open', '');
}
