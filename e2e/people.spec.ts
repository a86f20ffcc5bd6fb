import type { Locator, Page } from '@playwright/test';
import type postgres from 'postgres';
import { createInvitationResult, createTenantResult, memberPage, meView, operatedTenantPage, purgePage } from '#lib/tenancy/contract.ts';
import { untilAlive } from './chat-page.ts';
import { expect, signBrowserIn, test } from './fixtures.ts';
import { uuidOf } from './owner-database.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace, operatorApi, type Workspace } from './workspaces.ts';

const PASSWORD = 'correct horse battery';
const members = ({ slug }: Workspace) => `/${slug}/settings/members`;
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: /^Members of/ })
    .getByRole('listitem')
    .filter({ hasText: name });

verifies('P-18', 'a role is changed by the keyboard alone, and holds for the next request', async ({ page, workspace, openAs }) => {
  const person = await workspace.addPerson('member');
  const theirs = await workspace.apiOf(person);
  expect((await theirs.send('/audit')).status).toBe(403);
  await openAs(workspace.ownerApi);
  await page.goto(`${members(workspace)}?q=${encodeURIComponent(person.email)}`);
  const open = page.getByRole('button', { name: `Change role of ${person.name}` });
  await untilAlive(open);
  await page.getByRole('searchbox', { name: 'Name or email' }).focus();
  await walkTo(page, open, 'Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Role of ${person.name}` });
  await expect(dialog).toBeVisible();
  await walkTo(page, dialog.getByRole('radio', { name: 'Member (now)' }), 'Tab');
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('radio', { name: 'Auditor' })).toBeChecked();
  await expect(dialog).toContainText('+audit:read');
  await expect(dialog).toContainText('−memory:write');
  await walkTo(page, dialog.getByRole('button', { name: 'Give this role' }), 'Tab');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, person.email)).toContainText('Auditor');
  await expect(open).toBeFocused();
  expect((await theirs.send('/audit')).status).toBe(200);
});

test('the last owner stays, whoever tries and however', async ({ page, workspace, openAs }) => {
  await openAs(workspace.ownerApi);
  await page.goto(`${members(workspace)}?role=owner`);
  const remove = page.getByRole('button', { name: `Remove ${workspace.owner.name}` });
  await untilAlive(remove);
  await remove.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog).toContainText('this is its last one');
  await page.keyboard.press('Escape');
  const me = await workspace.ownerApi.get('/me', meView);
  const path = `/members/${me.user.id}`;
  for (const request of [
    { method: 'DELETE' },
    { method: 'PATCH', json: { roleKey: 'admin' } },
    { method: 'PATCH', json: { disabled: true } },
  ] as const)
    expect((await workspace.ownerApi.send(path, request)).body).toMatchObject({ code: 'last_owner' });
});

test('a custom role is made, edited with its changes marked, and not deleted while somebody has it', async ({
  page,
  workspace,
  openAs,
}) => {
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/settings/roles`);
  const add = page.getByRole('button', { name: 'New role' });
  await untilAlive(add);
  await add.click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Archivist');
  await page.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'Auditor' });
  await page.getByRole('button', { name: 'Make role' }).click();
  await page.getByRole('button', { name: 'Edit the role Archivist' }).click();
  await page.getByRole('checkbox', { name: 'Archivist: Add, change and remove documents' }).check();
  await page.getByRole('checkbox', { name: 'Archivist: See metrics' }).uncheck();
  await expect(page.getByText('1 added, 1 taken away')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
  const { items } = await workspace.ownerApi.get('/members', memberPage);
  expect(items.length).toBeGreaterThan(0);
  const key = /role=(archivist-[0-9a-f]+)/;
  const roles = (await workspace.ownerApi.send('/roles')).body as { items: { key: string; name: string; permissions: string[] }[] };
  const archivist = roles.items.find(({ name }) => name === 'Archivist');
  expect(archivist?.permissions).toContain('knowledge:write');
  expect(archivist?.permissions).not.toContain('metrics:read');
  const person = await workspace.addPerson(archivist?.key ?? '');
  await page.reload();
  const remove = page.getByRole('button', { name: 'Delete the role Archivist' });
  await untilAlive(remove);
  await remove.click();
  await expect(page.getByRole('dialog')).toContainText(person.email);
  await expect(page.getByRole('link', { name: 'Show them' })).toHaveAttribute('href', key);
});

test('an invitation lets one person in from another browser, and nobody after them', async ({
  page,
  workspace,
  openAs,
  browser,
  baseURL,
}) => {
  await openAs(workspace.ownerApi);
  await page.goto(members(workspace));
  const invite = page.getByRole('button', { name: 'Invite' });
  await untilAlive(invite);
  await invite.click();
  await page.getByRole('combobox', { name: 'Role' }).last().selectOption({ label: 'Builder' });
  await page.getByRole('textbox', { name: 'Whom it is for' }).fill('Noor from the library');
  await page.getByRole('button', { name: 'Make link' }).click();
  const url = await page.getByRole('dialog').locator('code').innerText();
  expect(url).toMatch(/\/invite\/[\w-]{43}$/);
  await page.getByRole('button', { name: 'I have it' }).click();

  const theirs = await browser.newContext({ baseURL: baseURL ?? '' });
  const theirPage = await theirs.newPage();
  await theirPage.goto(url);
  await expect(theirPage.getByText('invites you to Harbour School as Builder')).toBeVisible();
  const join = theirPage.getByRole('button', { name: 'Make account and join' });
  await untilAlive(join);
  await theirPage.getByRole('textbox', { name: 'Your name' }).fill('Noor');
  await theirPage.getByRole('textbox', { name: 'Your email' }).fill(`noor@${workspace.slug}.test`);
  await theirPage.getByLabel('Password').fill(PASSWORD);
  await join.click();
  await theirPage.waitForURL(`**/${workspace.slug}/chat`);
  await theirs.close();

  const late = await browser.newContext({ baseURL: baseURL ?? '' });
  const latePage = await late.newPage();
  const texts: string[] = [];
  for (const address of [url, '/invite/nonsense', `/invite/${'A'.repeat(43)}`]) {
    await latePage.goto(address);
    await expect(latePage.getByText('This invitation cannot be used')).toBeVisible();
    texts.push(await latePage.locator('main').innerText());
  }
  expect(new Set(texts).size).toBe(1);
  await late.close();

  await page.reload();
  await expect(page.getByRole('list', { name: /^Invitations to/ })).toContainText('Used by Noor');
  await expect(rowOf(page, 'Noor')).toContainText('Builder');
});

test('somebody who is signed in elsewhere joins with the account they have', async ({ page, workspace, origin, context }) => {
  const other = await createWorkspace(origin, 'Elsewhere');
  const { url } = await workspace.ownerApi.post('/invitations', { roleKey: 'auditor' }, createInvitationResult);
  await signBrowserIn(context, other.ownerApi);
  await page.goto(url);
  await expect(page.getByText(`You are signed in as ${other.owner.email}.`)).toBeVisible();
  const join = page.getByRole('button', { name: 'Join', exact: true });
  await untilAlive(join);
  await join.click();
  await page.waitForURL(`**/${workspace.slug}/runs`);
});

test('whoever wonders why is told the rule, and who can change it', async ({ page, workspace, openAs }) => {
  const person = await workspace.addPerson('member');
  await openAs(workspace.ownerApi);
  await page.goto(`${members(workspace)}?q=${encodeURIComponent(person.email)}`);
  await page.getByRole('link', { name: `Explain what ${person.name} may do` }).click();
  const what = page.getByRole('combobox', { name: 'What' });
  await untilAlive(what);
  await what.selectOption('knowledge:write');
  await page.getByRole('button', { name: 'Explain' }).click();
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible();
  await expect(page.getByText('The role Member lacks knowledge:write.')).toBeVisible();
  await expect(page.getByText(workspace.owner.email)).toBeVisible();
  await what.selectOption('capability/math.calculate');
  await page.getByRole('button', { name: 'Explain' }).click();
  await expect(page.getByRole('heading', { name: 'Allowed', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/what=capability/);
});

test('a member asks for a page that is shut to them, and an admin grants it with one press', async ({ page, openAs, workspace }) => {
  const person = await workspace.addPerson('member');
  const api = await workspace.apiOf(person);
  await openAs(api);
  await page.goto(`/${workspace.slug}/activity`);
  await expect(page.getByText('It needs the permission audit:read')).toBeVisible();
  await expect(page.getByText(workspace.owner.name)).toBeVisible();
  await page.getByRole('textbox', { name: 'What do you need it for?' }).fill('I check the figures of the term.');
  await page.getByRole('button', { name: 'Request access' }).click();
  await expect(page.getByText('Nobody has decided yet')).toBeVisible();

  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/settings/members`);
  const requests = page.getByRole('list', { name: 'Requests for access' });
  const row = requests.getByRole('listitem').filter({ hasText: 'I check the figures of the term.' });
  await expect(row).toContainText('audit:read');
  await row.getByRole('combobox', { name: `Another role for ${person.name}` }).selectOption('auditor');
  await row.getByRole('button', { name: 'Make Auditor' }).click();
  await expect(row).toHaveCount(0);
  await openAs(api);
  await page.goto(`/${workspace.slug}/activity`);
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
});

test('an admin looks at the workspace as a role sees it, and changes nothing so', async ({ page, openAs, workspace }) => {
  await openAs(await workspace.apiOf(workspace.owner));
  await page.goto(`/${workspace.slug}/settings/roles`);
  const look = page.getByRole('button', { name: 'View the workspace as Auditor' });
  await untilAlive(look);
  await look.click();
  const bar = page.getByRole('region', { name: 'Looking as another role' });
  await expect(bar).toContainText('You see this workspace as Auditor does.');
  await page.goto(`/${workspace.slug}/chat`);
  await expect(page.getByText('It needs the permission conversation:read')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Request access' })).toHaveCount(0);
  const refused = await page.request.post(`/api/t/${workspace.slug}/documents`, {
    data: { title: 'T', language: 'en', body: '# T' },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(await refused.json()).toMatchObject({ code: 'viewing_role' });
  await bar.getByRole('button', { name: 'Be Owner again' }).click();
  await page.waitForURL('**/settings/roles');
  await expect(bar).toHaveCount(0);
});

test('an operator makes a workspace, suspends it and lets it go on, and sees nothing of what it holds', async ({
  page,
  origin,
  openAs,
  workspace,
}) => {
  const operator = operatorApi(origin);
  const slug = `${workspace.slug}-op`;
  const made = await operator.post('/api/operator/tenants', { name: 'Under watch', slug }, createTenantResult);
  const owner = { name: 'Una', email: `una@${slug}.test`, password: PASSWORD };
  const token = made.url.split('/').at(-1);
  expect((await operator.with({ identity: {} }).send('/api/invitations/accept', { json: { token, person: owner } })).status).toBe(201);
  const ownerApi = (await workspace.apiOf(owner)).with({ tenant: slug });
  const session = await ownerApi.createSession();
  await ownerApi.ask(session.id, 'echo "a secret of theirs"');
  expect((await ownerApi.send('/api/operator/tenants')).body).toMatchObject({ code: 'permission_denied' });

  await openAs(operator);
  await page.goto('/operator/tenants');
  const row = page
    .getByRole('list', { name: 'Workspaces of this server' })
    .getByRole('listitem')
    .filter({ hasText: `/${slug}` });
  await expect(row).toContainText('Members');
  expect(await page.locator('body').innerText()).not.toContain('a secret of theirs');
  const suspend = row.getByRole('button', { name: 'Suspend Under watch' });
  await untilAlive(suspend);
  await suspend.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(row).toContainText('Suspended');
  expect(await ownerApi.send(`/sessions/${session.id}/messages`, { json: { text: 'echo "on"' } })).toMatchObject({
    status: 403,
    body: { code: 'tenant_suspended' },
  });
  await row.getByRole('button', { name: 'Resume Under watch' }).click();
  await expect(row).toContainText('Active');
  expect((await ownerApi.ask(session.id, 'echo "on"')).terminal).toBe('FINISH_OK');

  await page.goto('/operator/health');
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expect(page.getByText('PostgreSQL', { exact: false }).first()).toBeVisible();
  await openAs(workspace.ownerApi);
  await page.goto('/operator/tenants');
  await expect(page.getByText('Operators only')).toBeVisible();
});

test('members of a suspended workspace are told so', async ({ page, origin, openAs }) => {
  const shut = await createWorkspace(origin, 'Shut for now');
  const operator = operatorApi(origin);
  const { items } = await operator.get('/api/operator/tenants', operatedTenantPage);
  const id = items.find(({ slug }) => slug === shut.slug)?.id;
  expect((await operator.send(`/api/operator/tenants/${id}`, { method: 'PATCH', json: { suspended: true } })).status).toBe(204);
  await openAs(shut.ownerApi);
  await page.goto(`/${shut.slug}/runs`);
  await expect(page.getByRole('heading', { name: 'This workspace is suspended' })).toBeVisible();
  await expect(page.getByText('has suspended Shut for now')).toBeVisible();
});

verifies(
  'K17',
  'a workspace that is deleted leaves no row in any table, and every row of others',
  async ({ page, origin, openAs, database, workspace }) => {
    const gone = await createWorkspace(origin, 'Soon gone');
    const session = await gone.api.createSession();
    await gone.api.ask(session.id, 'What time is it in Tokyo and what is 17% of 2,340?');
    await gone.api.send('/documents', { json: { title: 'Rules', language: 'en', body: '# Rules' } });
    await gone.api.send('/facts', { json: { text: 'I like tea' } });
    await gone.ownerApi.send('/invitations', { json: { roleKey: 'member' } });
    const running = await gone.api.say(session.id, 'stream chunks: 2000 chunks, 30 ms');
    const me = await gone.ownerApi.get('/me', meView);
    const tenantId = uuidOf('tenant', me.tenant.id);
    const runs = await database`select id from run where tenant_id = ${tenantId}`;
    expect(await engineRowsOf(database, runs)).toBeGreaterThan(1);
    const neighbour = uuidOf('tenant', (await workspace.ownerApi.get('/me', meView)).tenant.id);
    const others = await rowsNaming(database, neighbour);

    await openAs(gone.ownerApi);
    await page.goto(`/${gone.slug}/settings/general`);
    const open = page.getByRole('button', { name: 'Delete this workspace' });
    await untilAlive(open);
    await open.click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete for good' });
    await expect(confirm).toBeDisabled();
    await dialog.getByRole('textbox', { name: 'Address of the workspace' }).fill(gone.slug);
    const stream = await gone.api.stream(running.runId);
    await confirm.click();
    // Well within the two seconds that are promised, and a page that is under load.
    await stream.toEnd(4_000);
    await page.waitForURL('**/status/deletions');
    expect((await gone.ownerApi.send('/me')).status).toBe(404);
    expect((await gone.api.send('/me')).status).toBe(401);
    await expect(page.getByText(/rows removed$/)).toBeVisible();
    await expect
      .poll(async () => (await gone.ownerApi.get('/api/account/deletions', purgePage)).items[0]?.finishedAt, { timeout: 60_000 })
      .not.toBeNull();
    expect(Object.keys(await rowsNaming(database, tenantId)).sort()).toEqual(['platform_audit', 'tenant_purge']);
    expect(await engineRowsOf(database, runs)).toBe(0);
    expect(await rowsNaming(database, neighbour)).toEqual(others);
    await page.goto(`/${gone.slug}/chat`);
    await expect(page.getByText('There is nothing at this address')).toBeVisible();
  },
);

/** How many rows of each table have the tenant in any column. The tables are the schema's own, so that none is forgotten. */
async function rowsNaming(database: postgres.Sql, tenantId: string): Promise<Record<string, number>> {
  const tables =
    await database`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database`
      select count(*)::int as rows from ${database(String(name))} t
      where position(${tenantId} in row_to_json(t)::text) > 0 or position(${`ten_${tenantId.replaceAll('-', '')}`} in row_to_json(t)::text) > 0`;
    if (Number(row?.rows) > 0) found[String(name)] = Number(row?.rows);
  }
  return found;
}

async function engineRowsOf(database: postgres.Sql, runs: readonly postgres.Row[]): Promise<number> {
  const ids = runs.map(({ id }) => `run_${String(id).replaceAll('-', '')}`);
  const [row] =
    await database`select count(*)::int as rows from dbos.workflow_status where split_part(workflow_uuid, ':', 1) = any (${ids})`;
  return Number(row?.rows);
}

async function walkTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let step = 0; ; step += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    expect(step).toBeLessThan(80);
    await page.keyboard.press(key);
  }
}
