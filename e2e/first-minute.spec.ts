import { ChatPage, untilAlive } from './chat-page.ts';
import { test as base, expect } from './fixtures.ts';
import { newDatabaseName, type ProductInstance, prepareDatabase, startInstance } from './product-instance.ts';

/** From the first page to the last thing a new person does here. */
const MINUTE_MS = 60_000;

const test = base.extend<object, { instance: ProductInstance }>({
  instance: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const [database, env] = [newDatabaseName('minute'), { DEMO: '1', HEARTBEAT_MS: '1000' }];
      await prepareDatabase(database, env);
      const instance = await startInstance(database, env);
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ instance }, use) => use(instance.origin),
});

test('within a minute a new person has inspected a run, installed a plugin and asked it something', async ({ page }) => {
  const startedAt = Date.now();
  await page.goto('/');
  const open = page.getByRole('button', { name: 'Open the demo workspace' });
  await untilAlive(open);
  await open.click();

  // A chat with a run in it, made by the engine when the product started.
  await page.waitForURL(/\/demo\/chat\/ses_/);
  const chat = new ChatPage(page, 'demo');
  await expect(chat.turns.first()).toContainText('26.09759 miles');
  await chat.turns.first().getByRole('link', { name: 'See how this ran' }).click();
  await page.waitForURL(/\/demo\/runs\/run_/);
  await page
    .getByRole('list', { name: 'Timeline' })
    .getByRole('button', { name: /^Search documents/ })
    .click();
  await expect(page.getByRole('region', { name: 'Details of the selection' })).toContainText('knowledge.search');
  const steps = page.getByRole('navigation', { name: 'Main' }).getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('listitem').filter({ hasText: 'See how a run went' })).toContainText('(done)');

  // A kind of chat that is locked leads to what unlocks it.
  await page.keyboard.press('c');
  await page.getByRole('link', { name: 'Open QA Sim' }).click();
  await page.getByRole('button', { name: /^Install/ }).click();
  const sheet = page.getByRole('dialog', { name: /^Install QA Sim/ });
  await sheet.getByRole('checkbox', { name: /I consent/ }).check();
  await sheet.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(sheet).toContainText('QA Sim is installed.');
  await sheet.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click();
  await expect(steps.getByRole('listitem').filter({ hasText: 'Install a plugin' })).toContainText('(done)');
  await page.getByRole('radio', { name: /^QA Sim/ }).check();
  await chat.begin('How many runs failed this week?');
  await chat.untilAnswered();
  expect(Date.now() - startedAt).toBeLessThan(MINUTE_MS);
});
