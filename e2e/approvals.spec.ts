import { ChatPage, untilAlive } from './chat-page.ts';
import { listEffects } from './effects-server.ts';
import { expect, test } from './fixtures.ts';
import { verifies } from './verifies-in-browser.ts';

test.beforeEach(async ({ openAs, workspace }) => openAs(workspace.ownerApi));

const cardOf = (chat: ChatPage) => chat.turns.last().getByRole('group', { name: /^Decision/ });

verifies(
  'H-13',
  'a call that cannot be undone waits in its chat through a reload, is changed, allowed by key, and runs once',
  async ({ page, workspace }) => {
    const chat = new ChatPage(page, workspace.slug);
    const label = `e2e-${workspace.slug}-${Date.now()}`;
    await chat.open();
    await chat.begin(`destructive effect "${label}"`);
    await expect(cardOf(chat)).toContainText('Cannot be undone');
    await page.reload();
    await untilAlive(chat.composer);
    const card = cardOf(chat);
    await expect(card).toContainText(label);
    await expect(card.getByRole('button', { name: /session/ })).toHaveCount(0);
    expect(await listEffects(label)).toEqual([]);

    await card.getByRole('button', { name: 'Edit arguments…' }).click();
    await card.getByRole('textbox', { name: 'label' }).fill(`${label}-changed`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await chat.untilAnswered();
    await expect(chat.turns.last()).toContainText(`done: ${label}-changed`);
    expect(await listEffects(`${label}-changed`)).toHaveLength(1);
    expect(await listEffects(label)).toHaveLength(0);
  },
);

verifies('H-13', 'of two tabs that decide, one wins, and the other says who was faster', async ({ page, context, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  await chat.begin(`destructive effect "two-tabs-${workspace.slug}"`);
  await expect(cardOf(chat)).toBeVisible();
  const other = await context.newPage();
  const inbox = other.getByRole('main');
  await other.goto(`/${workspace.slug}/inbox`);
  const there = inbox.getByRole('group', { name: /^Decision/ }).filter({ hasText: `two-tabs-${workspace.slug}` });
  await expect(there).toBeVisible();
  // The other tab hears nothing of the first one's decision before it decides itself.
  await other.route(/\/(?:inbox|stream)\b/, (route) => route.abort());
  await cardOf(chat).getByRole('button', { name: 'Deny…' }).click();
  await cardOf(chat).getByRole('textbox').fill('not today');
  await cardOf(chat).getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(chat.turns.last()).toContainText('Denied by');
  await there.getByRole('button', { name: 'Allow once' }).click();
  await expect(there.getByRole('alert')).toContainText('Denied by');
  await chat.untilAnswered();
  await expect(chat.turns.last()).toContainText('not today');
  expect(await listEffects(`two-tabs-${workspace.slug}`)).toEqual([]);
});

test('the rail counts what waits, and the inbox deals with it', async ({ page, workspace }) => {
  const { api } = workspace;
  const session = await api.createSession();
  const label = `inbox-${session.id}`;
  const { runId } = await workspace.ownerApi.say((await workspace.ownerApi.createSession()).id, `destructive effect "${label}"`);
  await page.goto(`/${workspace.slug}/inbox`);
  const card = page.getByRole('group', { name: /^Decision/ }).filter({ hasText: label });
  await expect(card).toBeVisible();
  await expect(page.getByRole('link', { name: /Inbox.*wait/ })).toBeVisible();
  await card.focus();
  await page.keyboard.press('ControlOrMeta+Shift+Backspace');
  await expect(page.getByRole('main')).toContainText('Denied by');
  await expect.poll(async () => (await workspace.ownerApi.getRun(runId)).state).toBe('FINISH_OK');
});

test('what is set for a capability holds for the next call', async ({ page, workspace }) => {
  await page.goto(`/${workspace.slug}/settings/approvals`);
  const mode = page.getByRole('combobox', { name: 'Before readonly effect runs' });
  await expect(mode).toBeEnabled();
  await mode.selectOption('Always ask');
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toHaveCount(1);
  const session = await workspace.ownerApi.createSession();
  const { runId } = await workspace.ownerApi.say(session.id, 'readonly effect "asked"');
  await expect.poll(async () => (await workspace.ownerApi.getRun(runId)).approvals).toMatchObject([{ state: 'OPEN', reason: 'policy' }]);
  await mode.selectOption('By risk');
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toHaveCount(1);
});
