import type { BrowserContext, Page } from '@playwright/test';
import { accountStandPage, resetLinkView, signInSessionPage } from '#lib/tenancy/contract.ts';
import { untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './sign-in.ts';
import { expectRefusal, TenantClient } from './tenant-client.ts';
import { createWorkspace, operatorApi } from './workspaces.ts';

const NEW_PASSWORD = 'another horse battery';

/** Signs in by the form, with the keyboard alone. */
async function signInByForm(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto('/sign-in');
  await untilAlive(page.getByRole('button', { name: 'Sign in' }));
  await page.getByRole('textbox', { name: 'Email' }).focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
}

test('the account asks strangers to sign in, and leads them back', async ({ page, workspace }) => {
  await page.goto('/account/sessions');
  await expect(page).toHaveURL('/sign-in?callback=%2Faccount%2Fsessions');
  const send = page.getByRole('button', { name: 'Sign in' });
  await untilAlive(send);
  await page.getByRole('textbox', { name: 'Email' }).fill(workspace.owner.email);
  await page.getByLabel('Password').fill(workspace.owner.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/account/sessions');
  await page.getByRole('link', { name: 'Back to the workspace' }).click();
  await expect(page).toHaveURL(new RegExp(`/${workspace.slug}`));
});

test('a password is changed by keyboard, tells a wrong current one, and signs out everywhere else', async ({ page, workspace, openAs }) => {
  const person = await workspace.addPerson('member');
  const here = await workspace.apiOf(person);
  const elsewhere = await workspace.apiOf(person);
  await openAs(here);
  await page.goto('/account');
  await expect(page).toHaveURL('/account/profile');
  await expect(page.getByText(person.email).last()).toBeVisible();
  const current = page.getByLabel('Current password');
  await untilAlive(current);
  await current.focus();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Tab');
  await page.keyboard.type(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not your current password.')).toBeVisible();
  expect((await elsewhere.send('/me')).status).toBe(200);
  // The field that was wrong has the keyboard, with what is in it selected.
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Changed. You are signed out everywhere else.')).toBeVisible();
  await expect(current).toHaveValue('');
  expectRefusal(await elsewhere.send('/me'), 401, 'unauthenticated');
  expect((await here.send('/me')).status).toBe(200);
  await expect(signIn(here.origin, person)).rejects.toThrow('401');
  await signIn(here.origin, { email: person.email, password: NEW_PASSWORD });
});

test('a link that an admin makes sets a new password once', async ({ page, workspace }) => {
  const person = await workspace.addPerson('member');
  const before = await workspace.apiOf(person);
  const link = await workspace.ownerApi.post(`/members/${person.userId}/password-reset`, {}, resetLinkView);
  expect(new URL(link.url).origin).toBe(workspace.api.origin);
  await page.goto(link.url);
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(person.email);
  const password = page.getByLabel('New password');
  await untilAlive(password);
  await password.focus();
  await page.keyboard.type(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The new password holds.')).toBeVisible();
  expectRefusal(await before.send('/me'), 401, 'unauthenticated');
  await page.goto(link.url);
  await expect(page.getByText('This link does not serve.')).toBeVisible();
  await expect(password).toHaveCount(0);
  const again = await workspace.api.send('/api/reset', { json: { token: link.url.split('/').at(-1), password: NEW_PASSWORD } });
  const never = await workspace.api.send('/api/reset', { json: { token: 'never-was', password: NEW_PASSWORD } });
  expect(expectRefusal(again, 404, 'not_found').message).toBe(expectRefusal(never, 404, 'not_found').message);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInByForm(page, { email: person.email, password: NEW_PASSWORD });
  await expect(page).toHaveURL(new RegExp(`/${workspace.slug}`));
});

test('an admin of one workspace gets no link to the password of a member of another', async ({ workspace, origin }) => {
  const person = await workspace.addPerson('member');
  const other = await createWorkspace(origin);
  await other.ownerApi.send('/members', { json: { email: person.email, name: 'x', roleKey: 'admin' } });
  for (const { ownerApi } of [workspace, other]) {
    const answer = await ownerApi.send(`/members/${person.userId}/password-reset`, { method: 'POST' });
    expect(expectRefusal(answer, 403, 'rights_exceeded').message).toContain('operator');
  }
});

test('sign-ins are listed, and ended one by one, elsewhere, and everywhere', async ({ page, workspace, openAs }) => {
  const person = await workspace.addPerson('member');
  const [here, ...others] = await Promise.all(Array.from({ length: 4 }, () => workspace.apiOf(person)));
  if (!here) throw new Error('nobody is signed in');
  await openAs(here);
  await page.goto('/account/sessions');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: 'This one' })).toHaveCount(1);
  const end = page.getByRole('button', { name: 'Sign out', exact: true }).first();
  await untilAlive(end);
  await end.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(3);
  const served = async () => (await Promise.all(others.map((api) => api.send('/me')))).filter(({ status }) => status === 200).length;
  expect(await served()).toBe(2);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(rows).toHaveCount(1);
  expect(await served()).toBe(0);
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expectRefusal(await here.send('/me'), 401, 'unauthenticated');
  const { items } = await (await workspace.apiOf(person)).get('/api/account/sign-in-sessions', signInSessionPage);
  expect(items).toHaveLength(1);
});

test('language and time zone follow a person to another browser', async ({ page, workspace, openAs, browser, baseURL }) => {
  const person = await workspace.addPerson('member');
  await openAs(await workspace.apiOf(person));
  await page.goto('/account/appearance');
  const zone = page.getByLabel('Time zone');
  await untilAlive(zone);
  await zone.selectOption('Asia/Tokyo');
  await expect.poll(async () => (await page.context().cookies()).find(({ name }) => name === 'bw-time-zone')?.value).toBe('Asia%2FTokyo');
  await page.getByRole('radio', { name: '简体中文' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('外观');

  const elsewhere: BrowserContext = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-US', timezoneId: 'Europe/Paris' });
  const there = await elsewhere.newPage();
  await signInByForm(there, person);
  await there.waitForURL(new RegExp(`/${workspace.slug}`));
  await there.goto('/account/sessions');
  await expect(there.getByRole('heading', { level: 1 })).toHaveText('登录的设备');
  const tokyo = new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' });
  const seen = there.getByRole('main').locator('time').first();
  await expect(seen).toHaveAttribute('title', new RegExp(tokyo.format(new Date()).slice(0, 10)));
  expect((await elsewhere.cookies()).find(({ name }) => name === 'bw-time-zone')?.value).toBe('Asia%2FTokyo');
  // Back to the device's own.
  await there.goto('/account/appearance');
  await untilAlive(there.getByLabel('时区'));
  await there.getByLabel('时区').selectOption('');
  await expect.poll(async () => (await elsewhere.cookies()).find(({ name }) => name === 'bw-time-zone')?.value).toBe('Europe%2FParis');
  await elsewhere.close();
});

test('an operator closes an account everywhere at once, and nobody else can', async ({ workspace, origin }) => {
  const person = await workspace.addPerson('member');
  const api = await workspace.apiOf(person);
  const operator = operatorApi(origin);
  const found = await operator.get(`/api/operator/accounts?q=${encodeURIComponent(person.email)}`, accountStandPage);
  expect(found.items).toMatchObject([{ userId: person.userId, disabled: false }]);
  const path = `/api/operator/accounts/${person.userId}`;
  for (const [route, method] of [
    [path, 'PATCH'],
    [`${path}/password-reset`, 'POST'],
    [`/api/operator/accounts?q=${person.email}`, 'GET'],
  ] as const) {
    const answer = await workspace.ownerApi.send(route, { method, ...(method === 'PATCH' && { json: { disabled: true } }) });
    expectRefusal(answer, 403, 'permission_denied');
  }
  expect((await operator.send(path, { method: 'PATCH', json: { disabled: true } })).status).toBe(200);
  expectRefusal(await api.send('/me'), 401, 'unauthenticated');
  await expect(signIn(origin, person)).rejects.toThrow('401');
  expect((await operator.send(path, { method: 'PATCH', json: { disabled: false } })).status).toBe(200);
  const back = new TenantClient({ origin, tenant: workspace.slug, identity: await signIn(origin, person) });
  expect((await back.send('/me')).status).toBe(200);
});

test('an operator finds an account on the page, closes it and opens it again', async ({ page, workspace, origin, openAs }) => {
  const person = await workspace.addPerson('member');
  const api = await workspace.apiOf(person);
  await openAs(operatorApi(origin));
  await page.goto('/operator/accounts');
  const search = page.getByRole('searchbox', { name: 'Name or address' });
  await untilAlive(search);
  await search.fill(person.email.toUpperCase());
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole('list', { name: 'Accounts of this server' }).getByRole('listitem').filter({ hasText: person.email });
  await expect(row).toContainText('Open');
  await row.getByRole('button', { name: `Close the account of ${person.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close the account' }).click();
  await expect(row).toContainText('Closed');
  expectRefusal(await api.send('/me'), 401, 'unauthenticated');

  await page.getByRole('combobox', { name: 'Account' }).selectOption('closed');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page).toHaveURL(/state=closed/);
  await row.getByRole('button', { name: `Reopen the account of ${person.name}` }).click();
  await expect(page.getByText('No account fits')).toBeVisible();
  await signIn(origin, person);

  // The last owner of a workspace stays, and the page says why.
  await page.goto(`/operator/accounts?q=${encodeURIComponent(workspace.owner.email)}`);
  const owner = page.getByRole('button', { name: `Close the account of ${workspace.owner.name}` });
  await untilAlive(owner);
  await owner.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close the account' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('A workspace would be left without an owner');
});
