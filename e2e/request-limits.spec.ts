import { AxeBuilder } from '@axe-core/playwright';
import { untilAlive } from './chat-page.ts';
import { expect, signBrowserIn, test } from './fixtures.ts';
import { newDatabaseName, type ProductInstance, prepareDatabase, startInstance } from './product-instance.ts';
import { expectRefusal } from './tenant-client.ts';
import { foundFirstWorkspace, type Workspace } from './workspaces.ts';

test.describe.configure({ mode: 'serial' });

let instances: readonly ProductInstance[];
let workspace: Workspace;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const database = newDatabaseName('limits');
  await prepareDatabase(database);
  const limits = { REQUESTS_PER_USER: '20', REQUESTS_PER_KEY: '20', REQUESTS_PER_TENANT: '1000' };
  const first = await startInstance(database, limits);
  // Two processes of one deployment: the same database and secret.
  instances = [first, await startInstance(database, { ...limits, PUBLIC_URL: first.origin })];
  workspace = await foundFirstWorkspace(first.origin);
});
test.afterAll(async () => {
  await Promise.all(instances?.map((instance) => instance.stop()) ?? []);
});

test('a key that asks too much gets 429 with the time to wait, from every process', async () => {
  const [first, second] = instances.map(({ origin }) => workspace.api.with({ origin }));
  if (!first || !second) throw new Error('two processes are needed');
  const statuses = [];
  for (let time = 0; time < 22; time += 1) statuses.push((await first.send('/me')).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  const refused = await first.send('/me');
  const { details } = expectRefusal(refused, 429, 'rate_limited');
  expect(details).toMatchObject({ scope: 'key', limitPerMinute: 20 });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // The other process learns of it as soon as both have settled.
  await expect.poll(async () => (await second.send('/me')).status, { intervals: [1_200], timeout: 10_000 }).toBe(429);
  // Somebody else is not held up.
  expect((await workspace.ownerApi.send('/me')).status).toBe(200);
});

test('a person who clicks too much is told on the page when to go on', async ({ browser }) => {
  const person = await workspace.addPerson('member');
  const context = await browser.newContext({ baseURL: instances[0]?.origin ?? '' });
  await signBrowserIn(context, await workspace.apiOf(person));
  const page = await context.newPage();
  await page.goto('/account/appearance');
  const zone = page.getByLabel('Time zone');
  await untilAlive(zone);
  const notice = page.getByText('Too many requests in a short time.');
  for (let time = 0; time < 30 && !(await notice.isVisible()); time += 1) {
    await page.getByRole('radio', { name: time % 2 === 0 ? 'Dark' : 'Light' }).click();
  }
  await expect(notice).toBeVisible();
  await expect(page.getByText(/Try again in \d+ seconds\./)).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await context.close();
});
