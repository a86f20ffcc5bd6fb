import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ChatPage, untilAlive } from './chat-page.ts';
import { test as base, type DemoAccount, expect } from './fixtures.ts';
import { newDatabaseName, type ProductInstance, prepareDatabase, startInstance } from './product-instance.ts';
import { verifiesWith } from './verifies-in-browser.ts';

/** Nobody has been here yet: a product of its own, with the demo. */
const test = base.extend<object, { instance: ProductInstance }>({
  instance: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const [database, env] = [newDatabaseName('first'), { DEMO: '1', HEARTBEAT_MS: '1000' }];
      await prepareDatabase(database, env);
      const instance = await startInstance(database, env);
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ instance }, use) => use(instance.origin),
});
const verifies = verifiesWith<Parameters<typeof test>[2]>(test);
test.describe.configure({ mode: 'serial' });

const QUESTION = '奖学金申请材料有哪些，晚上食堂营业到几点？';

verifies(
  ['P-02', 'P-04', 'P-06'],
  'one click opens the demo; its first question is answered from the handbook, and the run can be read',
  async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/welcome');
    const open = page.getByRole('button', { name: 'Open the demo workspace' });
    await untilAlive(open);
    await open.click();
    // It opens on a chat that the engine has answered already.
    await page.waitForURL(/\/demo\/chat\/ses_/);
    await expect(page.getByText('Deterministic planner · no model needed')).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('Demo workspace');
    const chat = new ChatPage(page, 'demo');
    await untilAlive(chat.composer);
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.turns.first()).toContainText('26.09759 miles');
    await expect(chat.turns.first().getByRole('link', { name: 'See how this ran' })).toBeVisible();

    await page.getByRole('button', { name: QUESTION }).click();
    await expect(chat.turns).toHaveCount(2);
    await chat.untilAnswered();
    const turn = chat.turns.last();
    for (const fact of ['奖学金申请表', '成绩单', '推荐信', '20:00', '22:30']) await expect(turn).toContainText(fact);
    await expect(turn.getByRole('button', { name: /^2\/2/ })).toContainText('Finished');
    await turn.getByRole('button', { name: /^2\/2/ }).click();
    await expect(turn).toContainText('knowledge.search');
    await expect(turn).toContainText('confidence');
    await expect(chat.row('What is the fine')).toContainText('Answered');

    await turn.getByRole('link', { name: 'See how this ran' }).click();
    await expect(page).toHaveURL(/\/demo\/runs\/run_/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Finished in .*: 2 steps, 2 calls$/);
    await expect(page.getByRole('main')).toContainText('Deterministic planner');
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await expect(timeline.getByRole('button', { name: /^Search documents/ })).toHaveCount(2);
    await page.getByRole('link', { name: /^Events/ }).click();
    await expect(page).toHaveURL(/view=events/);
    for (const type of ['UserPromptSubmitted', 'AgentPlanProposed', 'ToolExecuted', 'RUN_FINISH'])
      await expect(page.getByRole('main').getByText(type, { exact: true }).first()).toBeVisible();
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await expect(page).toHaveURL(/view=plan/);
    await expect(page.getByRole('main')).toContainText('晚上食堂营业到几点');

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    await expect(page.getByRole('row').filter({ hasText: QUESTION })).toContainText('Finished');
  },
);

test('an edit of the handbook changes the answer', async ({ page }) => {
  await openDemo(page);
  const chat = new ChatPage(page, 'demo');
  const revisionOfAnswer = async () => {
    await chat.open();
    await chat.begin('晚上食堂营业到几点？');
    await chat.untilAnswered();
    const text = await chat.turns.last().innerText();
    await chat.turns.last().getByRole('link', { name: 'See how this ran' }).click();
    await page.waitForURL(/\/runs\/run_/);
    return {
      text,
      revision: await page
        .getByRole('definition')
        .filter({ has: page.locator('code') })
        .innerText(),
    };
  };
  const before = await revisionOfAnswer();
  expect(before.text).toContain('20:00');
  expect(before.text).not.toContain('21:47');

  await page.goto('/demo/knowledge');
  await page.getByRole('link', { name: /食堂与餐饮/ }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const body = page.getByRole('textbox', { name: 'Text' });
  await body.fill((await body.inputValue()).replaceAll('20:00', '21:47'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('Version 2');

  const after = await revisionOfAnswer();
  expect(after.text).toContain('21:47');
  expect(after.text).not.toContain('20:00');
  expect(after.revision).not.toBe(before.revision);
});

test('the first person creates a workspace and owns it; the next visitor is offered none', async ({ page, browser, instance }) => {
  await page.goto('/welcome');
  const summary = page.locator('summary', { hasText: 'Create a workspace' });
  await untilAlive(page.getByRole('button', { name: 'Open the demo workspace' }));
  await summary.click();
  await page.getByRole('textbox', { name: 'Name of the workspace' }).fill('Acme Ümläut 学校');
  await page.getByRole('textbox', { name: 'Address' }).fill('demo');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada First');
  await page.getByRole('textbox', { name: 'Your email' }).fill('ada@example.test');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('This address is taken. Choose another.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Address' }).fill('acme');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL('/acme/chat');
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Acme Ümläut 学校');
  await expect(page.getByRole('button', { name: /Ada First/ })).toContainText('Owner');
  await expect(page.getByText('No chats yet')).toBeVisible();

  const visitor = await browser.newContext({ baseURL: instance.origin });
  const elsewhere = await visitor.newPage();
  await elsewhere.goto('/welcome');
  await expect(elsewhere.getByRole('button', { name: 'Open the demo workspace' })).toBeVisible();
  await expect(elsewhere.getByText('Create a workspace')).toHaveCount(0);
  expect((await elsewhere.goto('/acme/chat'))?.url()).toContain('/sign-in');
  await visitor.close();
});

test('signing in by the form: a wrong password says so, the right one leads to where one was going', async ({ page, instance }) => {
  const demo: DemoAccount = JSON.parse(readFileSync(path.join(instance.dataDirectory, 'demo.json'), 'utf8'));
  await page.goto('/demo/runs');
  await expect(page).toHaveURL(/\/sign-in\?/);
  const send = page.getByRole('button', { name: 'Sign in' });
  await untilAlive(send);
  await page.getByRole('textbox', { name: 'Email' }).fill(demo.email);
  await page.getByLabel('Password').fill('not the password');
  await send.click();
  await expect(page.getByText('Email and password do not match an account.')).toBeVisible();
  await page.getByLabel('Password').fill(demo.password);
  await send.click();
  await expect(page).toHaveURL('/demo/runs');
  // And out again: the pages are closed at once.
  await page.getByRole('button', { name: /Dana Owens/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto('/demo/runs');
  await expect(page).toHaveURL(/\/sign-in\?/);
});

async function openDemo(page: Page): Promise<void> {
  await page.goto('/welcome');
  const open = page.getByRole('button', { name: 'Open the demo workspace' });
  await untilAlive(open);
  await open.click();
  await page.waitForURL(/\/demo\/chat\/ses_/);
}
