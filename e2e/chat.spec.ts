import type { Page } from '@playwright/test';
import { transcriptView } from '#lib/conversations/contract.ts';
import { ChatPage, shownChunks, untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { verifies } from './verifies-in-browser.ts';

test.beforeEach(async ({ openAs, workspace }) => openAs(workspace.ownerApi));

/** Counts the requests by which a page sends or changes something. */
function countWrites(page: Page, method: string, path: RegExp): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) count += 1;
  });
  return () => count;
}

test('a message is answered as it streams, and the chat finds its place in the list', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeDisabled();
  await chat.composer.fill('   ');
  await expect(send).toBeDisabled();
  await chat.composer.fill('stream chunks: 120 chunks, 50 ms');
  await chat.composer.press('Shift+Enter');
  await expect(chat.composer).toHaveValue('stream chunks: 120 chunks, 50 ms\n');
  await send.click();
  await page.waitForURL(/\/chat\/ses_/);
  const turn = chat.turns.last();
  await expect(turn).toHaveText(/chunk-5 (?!.*chunk-120)/s);
  await expect(turn.getByRole('button', { name: /Running/ }).first()).toBeVisible();
  await expect(chat.composer).toHaveValue('');
  await chat.untilAnswered();
  await expect(turn).toContainText(shownChunks(120));
  await expect(turn.getByRole('button', { name: /^1\/1/ })).toContainText('Finished');
  await expect(chat.row('stream chunks: 120 chunks')).toContainText('Answered');
  // A screen reader is told twice: that it began, and the whole of it.
  await expect(page.getByRole('status').filter({ hasText: 'Answer finished. chunk-1' })).toHaveCount(1);
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'off');
});

test('stop ends the answer where it is, by the button and by the keyboard', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  await chat.begin('stream chunks: 300 chunks, 40 ms');
  await expect(chat.turns.last()).toContainText('chunk-4 ');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const turn = chat.turns.last();
  await expect(turn.getByRole('button', { name: /^\d\/1/ })).toContainText('Stopped');
  await expect(turn).toContainText('chunk-4 ');
  await expect(turn).not.toContainText('chunk-300');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  const { messages } = await workspace.api.get(`/sessions/${chat.sessionId}`, transcriptView);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', state: 'stopped' });

  await chat.send('stream chunks: 300 chunks, 41 ms');
  await expect(chat.turns.nth(1)).toContainText('chunk-4 ');
  await page.keyboard.press('Control+.');
  await expect(chat.turns.nth(1).getByRole('button', { name: /^\d\/1/ })).toContainText('Stopped');
  await page.reload();
  await expect(chat.turns.nth(0)).toContainText('Stopped');
  await expect(chat.turns.nth(1)).toContainText('Stopped');
});

test('asking again makes a branch, with the first answer one step away', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  await chat.begin('echo "twice"');
  await chat.untilAnswered();
  await chat.turns.last().getByRole('button', { name: 'Ask again' }).click();
  await expect(chat.turns.last()).toContainText('Branch 2 of 2');
  await chat.untilAnswered();
  await expect(chat.turns).toHaveCount(1);
  await chat.turns.last().getByRole('button', { name: 'Earlier branch' }).click();
  await expect(chat.turns.last()).toContainText('Branch 1 of 2');
  // What was chosen stays chosen.
  await page.reload();
  await expect(chat.turns.last()).toContainText('Branch 1 of 2');
  await expect(chat.turns).toHaveCount(1);
});

test('what was begun to write is kept over a reload, for each chat by itself', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  const [first, second] = [await workspace.api.createSession(), await workspace.api.createSession()];
  await chat.open(first.id);
  await chat.composer.fill('half a thought\nin two lines');
  await page.reload();
  await expect(chat.composer).toHaveValue('half a thought\nin two lines');
  await chat.open(second.id);
  await expect(chat.composer).toHaveValue('');
  await chat.open();
  await expect(chat.composer).toHaveValue('');
  await chat.composer.fill('a new chat’s thought');
  await chat.open(first.id);
  await expect(chat.composer).toHaveValue('half a thought\nin two lines');
  await chat.composer.fill('echo sent');
  await chat.composer.press('Enter');
  await chat.untilAnswered();
  await page.reload();
  await untilAlive(chat.composer);
  await expect(chat.composer).toHaveValue('');
  await chat.open();
  await expect(chat.composer).toHaveValue('a new chat’s thought');
});

verifies(
  ['K1', 'K2'],
  'a reload in the middle of an answer shows all of it once, and so does a lost connection',
  async ({ page, workspace, context }) => {
    const chat = new ChatPage(page, workspace.slug);
    await chat.open();
    await chat.begin('echo "the first turn"');
    await chat.untilAnswered();
    await chat.send('stream chunks: 130 chunks, 45 ms');
    const turn = chat.turns.last();
    await expect(turn).toContainText('chunk-8 ');
    await page.reload();
    await expect(turn).toContainText('chunk-20 ');
    await context.setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
    await chat.untilAnswered();
    await expect(turn).toContainText(shownChunks(130));
    await expect(chat.turns).toHaveCount(2);
    await expect(chat.turns.first()).toContainText('the first turn');
    const text = await page.getByRole('log').innerText();
    expect(text.match(/chunk-130(?!\d)/g)).toHaveLength(1);
    expect(text.match(/chunk-1(?!\d)/g)).toHaveLength(1);
    expect(text.match(/the first turn/g)).toHaveLength(2);
  },
);

test('a second tab shows the same answer live, over one connection between them', async ({ page, workspace, context }) => {
  const streaming = new Set<Page>();
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/stream')) streaming.add(request.frame().page());
  });
  const [chat, twin] = [new ChatPage(page, workspace.slug), new ChatPage(await context.newPage(), workspace.slug)];
  const { id } = await workspace.api.createSession();
  await chat.open(id);
  await twin.open(id);
  await chat.send('stream chunks: 160 chunks, 50 ms');
  await expect(twin.turns.last()).toHaveText(/chunk-6 (?!.*chunk-160)/s);
  await chat.untilAnswered();
  await twin.untilAnswered();
  await expect(twin.turns).toHaveCount(1);
  await expect(twin.turns.last()).toContainText(shownChunks(160));
  expect(streaming.size).toBe(1);
});

test('messages during a run wait their turn, say so, and are answered in order', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  await chat.begin('stream chunks: 500 chunks, 50 ms');
  await chat.send('echo "the second"');
  await chat.send('echo "the third"');
  await expect(chat.turns.nth(1)).toContainText('1 message before this one');
  await expect(chat.turns.nth(2)).toContainText('2 messages before this one');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await chat.untilAnswered();
  for (const [index, text] of ['Stopped', 'the second', 'the third'].entries()) await expect(chat.turns.nth(index)).toContainText(text);
  await expect(chat.turns).toHaveCount(3);
});

test('a chat is renamed, pinned, archived and brought back', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  const title = 'echo "to be renamed"';
  await chat.open();
  await chat.begin(title);
  await chat.untilAnswered();
  await chat.chooseAction(title, 'Rename');
  const field = page.getByRole('textbox', { name: 'New title' });
  await field.fill('not this');
  await field.press('Escape');
  await expect(chat.row(title)).toBeVisible();
  await chat.chooseAction(title, 'Rename');
  await field.fill('Budget 预算');
  await field.press('Enter');
  await expect(chat.row('Budget 预算')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Budget 预算');

  await chat.chooseAction('Budget 预算', 'Pin');
  const pinned = chat.list.locator('section').filter({ has: page.getByRole('heading', { name: 'Pinned' }) });
  await expect(pinned).toContainText('Budget 预算');
  await page.reload();
  await expect(pinned).toContainText('Budget 预算');
  await untilAlive(chat.composer);

  await chat.chooseAction('Budget 预算', 'Archive');
  await expect(chat.row('Budget 预算')).toHaveCount(0);
  await expect(page.getByText('This chat is archived.')).toBeVisible();
  await chat.list.getByRole('button', { name: 'Archived' }).click();
  await expect(chat.row('Budget 预算')).toBeVisible();
  await chat.chooseAction('Budget 预算', 'Bring back');
  await expect(chat.composer).toBeVisible();
  await chat.list.getByRole('button', { name: 'Archived' }).click();
  await chat.list.getByRole('searchbox', { name: 'Search chats' }).fill('预算');
  await expect(chat.list.getByRole('listitem')).toHaveCount(1);
  await chat.list.getByRole('searchbox', { name: 'Search chats' }).fill('no such words');
  await expect(chat.list.getByText('No chat has these words')).toBeVisible();
});

test('a message that did not reach the server is kept, and sent once when it is sent again', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  const { id } = await workspace.api.createSession();
  await chat.open(id);
  // The answer is lost after the server has taken the message.
  await page.route('**/messages', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await chat.send('echo "only once"');
  await expect(page.getByText('Not sent')).toBeVisible({ timeout: 15_000 });
  await page.unroute('**/messages');
  await page.getByRole('button', { name: 'Send again' }).click();
  await chat.untilAnswered();
  await expect(page.getByText('Not sent')).toHaveCount(0);
  await expect(chat.turns).toHaveCount(1);
  const { messages } = await workspace.api.get(`/sessions/${id}`, transcriptView);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test('a message that is too long cannot be sent, and says so before', async ({ page, workspace }) => {
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  await chat.composer.fill('食'.repeat(22_000));
  await expect(chat.composer).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Longer than 64 KB.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
});

verifies(
  'K25',
  'an Enter that ends a composition sends nothing, whatever way the browser says so',
  async ({ page, workspace, context }) => {
    const chat = new ChatPage(page, workspace.slug);
    await chat.open();
    const sent = countWrites(page, 'POST', /\/messages$/);
    const keyboard = await context.newCDPSession(page);
    const compose = (text: string) =>
      keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const press = (key: 'Enter' | 'Escape', keyCode: number) =>
      keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: keyCode });
    const commit = (text: string) => keyboard.send('Input.insertText', { text });

    // While the composition is open.
    await chat.composer.focus();
    await compose('fu shu');
    await press('Enter', 13);
    await commit('复述');
    await expect(chat.composer).toHaveValue('复述');
    // The key that an input method has taken.
    await press('Enter', 229);
    // Safari: the composition has ended a moment before its key.
    await chat.composer.evaluate((field) => {
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '复述' }));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true }));
    });
    await page.waitForTimeout(300);
    expect(sent()).toBe(0);
    await expect(page).toHaveURL(new RegExp(`/${workspace.slug}/chat/?$`));
    // Then as ever: Shift+Enter is a new line, Enter sends, once.
    await chat.composer.press('Shift+Enter');
    await expect(chat.composer).toHaveValue('复述\n');
    await chat.composer.fill('stream chunks: 80 chunks, 45 ms');
    await chat.composer.press('Enter');
    await page.waitForURL(/\/chat\/ses_/);
    await untilAlive(chat.composer);
    expect(sent()).toBe(1);

    // Escape drops the candidate and stops nothing.
    const cancelled = countWrites(page, 'POST', /\/cancel$/);
    await expect(chat.turns.last()).toContainText('chunk-3 ');
    await chat.composer.focus();
    await compose('ni');
    await press('Escape', 27);
    await press('Escape', 229);
    await commit('你');
    await chat.untilAnswered();
    expect(cancelled()).toBe(0);
    await expect(chat.turns.last()).toContainText('chunk-80');

    // The same guard in the field of a title.
    const renamed = countWrites(page, 'PATCH', /\/sessions\//);
    await chat.chooseAction('stream chunks: 80 chunks', 'Rename');
    const field = page.getByRole('textbox', { name: 'New title' });
    await expect(field).toBeFocused();
    await page.waitForTimeout(100);
    await field.fill('');
    await compose('yusuan');
    await press('Enter', 13);
    await press('Escape', 27);
    await press('Escape', 229);
    await expect(field).toBeVisible();
    expect(renamed()).toBe(0);
    await commit('预算');
    await page.waitForTimeout(100);
    await field.press('Enter');
    await expect(chat.row('预算')).toBeVisible();
    expect(renamed()).toBe(1);
  },
);
