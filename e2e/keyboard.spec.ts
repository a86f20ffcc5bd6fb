import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ChatPage, untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands and places' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Find a place, a chat, a run or a command' });

test('the palette opens over what is being written, goes to places, finds chats and acts', async ({ page, openAs, workspace }) => {
  await openAs(workspace.ownerApi);
  const session = await workspace.api.createSession();
  await workspace.api.ask(session.id, 'echo "a heron by the harbour"');
  const chat = new ChatPage(page, workspace.slug);
  await chat.open();
  await chat.composer.fill('half a thought');
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  // A place by its name, and the row that Enter takes is the one a screen reader is told of.
  await page.keyboard.type('run');
  const active = page.getByRole('option', { selected: true });
  await expect(active).toContainText('Runs');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/${workspace.slug}/runs`);
  await expect(palette(page)).toHaveCount(0);

  // A chat by words of its title.
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('heron');
  const found = palette(page).getByRole('group', { name: 'Chats' }).getByRole('option');
  await expect(found).toHaveText(/heron/);
  await found.click();
  await page.waitForURL(`**/chat/${session.id}`);

  // What has no page: the theme.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('theme dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // What was being written is there still.
  await chat.open();
  await expect(chat.composer).toHaveValue('half a thought');
});

test('the palette and the help are accessible, and Escape gives the focus back', async ({ page, openAs, workspace }) => {
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/runs`);
  const opener = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /^Find/ });
  await untilAlive(opener);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('Enter and Escape of an input method are left to it in the palette', async ({ page, context, openAs, workspace }) => {
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/knowledge`);
  await untilAlive(page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /^Find/ }));
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  const keyboard = await context.newCDPSession(page);
  const press = (key: 'Enter' | 'Escape', keyCode: number) =>
    keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: keyCode });
  await keyboard.send('Input.imeSetComposition', { text: 'yun xing', selectionStart: 8, selectionEnd: 8 });
  await press('Enter', 13);
  await press('Escape', 27);
  await keyboard.send('Input.insertText', { text: 'runs' });
  await press('Enter', 229);
  await expect(field(page)).toHaveValue('runs');
  await expect(page).toHaveURL(`/${workspace.slug}/knowledge`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/${workspace.slug}/runs`);
});

test('single keys go where they say, not while something is written, and can be switched off', async ({ page, openAs, workspace }) => {
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/runs`);
  await untilAlive(page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /^Find/ }));
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(page).toHaveURL(`/${workspace.slug}/knowledge`);
  await page.keyboard.press('c');
  await expect(page).toHaveURL(`/${workspace.slug}/chat`);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await expect(composer).toBeFocused();
  await page.keyboard.type('gr?c');
  await expect(composer).toHaveValue('gr?c');
  await expect(page).toHaveURL(`/${workspace.slug}/chat`);

  await composer.fill('');
  await composer.blur();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('switch', { name: 'Shortcuts of single keys' }).click();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(help).toHaveCount(0);
  await expect(page).toHaveURL(`/${workspace.slug}/chat`);
  // Chords stay.
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
});
