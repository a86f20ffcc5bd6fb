import { untilAlive } from './chat-page.ts';
import { expect, signBrowserIn, test } from './fixtures.ts';
import { newDatabaseName, type ProductInstance, prepareDatabase, startInstance } from './product-instance.ts';
import { foundFirstWorkspace, type Workspace } from './workspaces.ts';

test.describe.configure({ mode: 'serial' });

let instance: ProductInstance;
let there: Workspace;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const database = newDatabaseName('neighbour');
  await prepareDatabase(database);
  instance = await startInstance(database);
  there = await foundFirstWorkspace(instance.origin);
});
test.afterAll(() => instance?.stop());

test('two instances on one host leave each other’s sign-ins alone, whichever signs out', async ({ browser, workspace, origin }) => {
  // One browser: cookies do not tell ports apart.
  const context = await browser.newContext();
  await signBrowserIn(context, await workspace.apiOf(workspace.owner));
  const page = await context.newPage();
  await page.goto(`${instance.origin}/sign-in`);
  await untilAlive(page.getByRole('button', { name: 'Sign in' }));
  await page.getByRole('textbox', { name: 'Email' }).fill(there.owner.email);
  await page.getByLabel('Password').fill(there.owner.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/${there.slug}`));
  const isIn = async (at: string, slug: string) => {
    await page.goto(`${at}/${slug}/runs`);
    return new URL(page.url()).pathname === `/${slug}/runs`;
  };
  expect([await isIn(origin, workspace.slug), await isIn(instance.origin, there.slug)]).toEqual([true, true]);
  const own = (await context.cookies()).filter(({ name }) => name.startsWith('bailiwick-session-'));
  expect(own).toHaveLength(2);
  // The one that the form has brought: the other was put into the browser by this test.
  expect(own.filter(({ httpOnly }) => httpOnly)).toMatchObject([{ sameSite: 'Lax', secure: false, path: '/' }]);

  await page.getByRole('button', { name: /Olive Operator/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  expect([await isIn(instance.origin, there.slug), await isIn(origin, workspace.slug)]).toEqual([false, true]);
  await context.close();
});

test('under another name of the same machine, pages lead to the one address, and the sign-in is not lost on the way', async ({
  browser,
}) => {
  const context = await browser.newContext();
  await signBrowserIn(context, await there.apiOf(there.owner));
  const page = await context.newPage();
  const { port } = new URL(instance.origin);
  await page.goto(`http://localhost:${port}/${there.slug}/runs?state=FINISH_OK`);
  expect(page.url()).toBe(`${instance.origin}/${there.slug}/runs?state=FINISH_OK`);
  await context.close();
});
