import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { type OidcPerson, type OidcServer, startOidcServer } from '#lib/testing/oidc-server.ts';
import { untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { newDatabaseName, type ProductInstance, prepareDatabase, startInstance } from './product-instance.ts';
import { foundFirstWorkspace, type Workspace } from './workspaces.ts';

test.describe.configure({ mode: 'serial' });

const CLIENT = { id: 'bailiwick', secret: 'a secret of ours' };
let provider: OidcServer;
let instance: ProductInstance;
let workspace: Workspace;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  provider = await startOidcServer(CLIENT);
  const database = newDatabaseName('sso');
  await prepareDatabase(database);
  instance = await startInstance(database, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_LABEL: 'Harbour School',
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  workspace = await foundFirstWorkspace(instance.origin);
});
test.afterAll(async () => {
  await instance?.stop();
  await provider?.close();
});

/** A browser of its own: the shared one may ask no other host for anything, and this one is led to the provider. */
async function openSignIn(browser: Browser, more: { locale?: string } = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: instance.origin, ...more });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await untilAlive(page.getByRole('button').last());
  return page;
}

async function goByKeyboard(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Continue with Harbour School' });
  await button.focus();
  await page.keyboard.press('Enter');
}

const person = (more: Record<string, unknown> = {}): OidcPerson => ({
  sub: 'ada',
  email: 'ada@school.test',
  email_verified: true,
  name: 'Ada Green',
  ...more,
});

test('who is known and let in nowhere is told so; a line in the settings lets their group in', async ({ browser }) => {
  provider.state.person = person({ groups: ['teachers'] });
  const page = await openSignIn(browser);
  await goByKeyboard(page);
  await expect(page).toHaveURL(/\/sign-in\?problem=no-workspace/);
  await expect(page.getByText('no workspace here lets you in yet')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  const owner = await openSignIn(browser);
  await owner.getByRole('textbox', { name: 'Email' }).fill(workspace.owner.email);
  await owner.getByLabel('Password').fill(workspace.owner.password);
  await owner.keyboard.press('Enter');
  await owner.waitForURL(new RegExp(`/${workspace.slug}`));
  await owner.goto(`/${workspace.slug}/settings/sign-in`);
  await expect(owner.getByText(provider.issuer)).toBeVisible();
  const add = owner.getByRole('button', { name: 'Add a group' });
  await untilAlive(add);
  await add.focus();
  await owner.keyboard.press('Enter');
  await owner.getByRole('textbox', { name: 'Group 1' }).fill('teachers');
  await owner.getByRole('combobox', { name: 'Role of group 1, teachers' }).selectOption('builder');
  await owner.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(owner.getByText('Saved.')).toBeVisible();
  expect((await new AxeBuilder({ page: owner }).analyze()).violations).toEqual([]);

  await untilAlive(page.getByRole('button').last());
  await goByKeyboard(page);
  await page.waitForURL(new RegExp(`/${workspace.slug}`));
  await expect(page.getByRole('button', { name: /Ada Green/ })).toContainText('Builder');
  await page.goto('/account/profile');
  await expect(page.getByText('There is no password here.')).toBeVisible();
  await expect(page.getByLabel('Current password')).toHaveCount(0);
  await page.context().close();
  await owner.context().close();
});

test('a group that is left takes its role away at the next sign-in', async ({ browser }) => {
  provider.state.person = person({ groups: [] });
  const page = await openSignIn(browser);
  await goByKeyboard(page);
  await page.waitForURL((url) => url.origin === instance.origin && url.pathname !== '/sign-in');
  await page.goto(`/${workspace.slug}/chat`);
  await expect(page.getByText('There is nothing at this address')).toBeVisible();
  await page.context().close();
});

test('what the provider does wrong is told with a next step, in both languages', async ({ browser }) => {
  for (const [fault, english, chinese] of [
    ['wrong-nonce', 'This sign-in took too long', '这次登录耗时太久'],
    ['declined', 'The provider did not sign you in.', '登录服务没有让你登录'],
    ['foreign-key', "The provider's answer could not be verified.", '无法验证登录服务的应答'],
  ] as const) {
    provider.state.fault = fault;
    const page = await openSignIn(browser);
    await goByKeyboard(page);
    await expect(page.getByText(english)).toBeVisible();
    await page.context().close();
    const there = await openSignIn(browser, { locale: 'zh-CN' });
    await there.getByRole('button', { name: '使用 Harbour School 继续' }).click();
    await expect(there.getByText(chinese)).toBeVisible();
    await there.context().close();
  }
  provider.state.fault = null;
});

test('where no provider is set up, the sign-in page offers none', async ({ page }) => {
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Continue with/ })).toHaveCount(0);
});

test('while the provider is down, the sign-in page says so and passwords still work', async ({ browser }) => {
  await provider.close();
  const down = newDatabaseName('sso_down');
  await prepareDatabase(down);
  const alone = await startInstance(down, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  const there = await foundFirstWorkspace(alone.origin);
  const context = await browser.newContext({ baseURL: alone.origin });
  const page = await context.newPage();
  await page.goto('/sign-in');
  const button = page.getByRole('button', { name: 'Continue with your organisation' });
  await untilAlive(button);
  await button.click();
  await expect(page.getByText('The sign-in provider cannot be reached.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Email' }).fill(there.owner.email);
  await page.getByLabel('Password').fill(there.owner.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/${there.slug}`));
  await context.close();
  await alone.stop();
});
