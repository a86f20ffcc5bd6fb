import type { Locator, Page } from '@playwright/test';
import { untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace } from './workspaces.ts';

/** Goes to it with the keyboard's own way of going, so that what cannot be reached fails. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not come to ${target.toString()}`);
}

verifies(['P-19', 'P-21', 'P-22'], 'a plugin is installed, used and uninstalled by keyboard alone', async ({ page, origin, openAs }) => {
  const { slug, ownerApi, api } = await createWorkspace(origin);
  await openAs(ownerApi);
  const refused = await api.send('/sessions', { json: { preset: 'qa-sim' } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'plugin_not_installed', message: 'plugin not installed: QA_SIM' } });

  await page.goto(`/${slug}/chat`);
  const locked = page.getByRole('radio', { name: /QA Sim/ });
  await expect(locked).toBeDisabled();
  await expect(page.getByText(/Needs the plugin .*, which is not installed/).first()).toBeVisible();
  await page.goto(`/${slug}/marketplace`);
  const search = page.getByRole('searchbox');
  await untilAlive(search);
  await tabTo(page, search);
  await page.keyboard.type('问数');
  await expect(page).toHaveURL(/q=/);
  const plugins = page.getByRole('list', { name: 'Plugins' });
  await expect(plugins.getByRole('listitem')).toHaveCount(1);
  await tabTo(page, plugins.getByRole('link'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/marketplace\/QA_SIM$/);

  const open = page.getByRole('button', { name: 'Install…' });
  await untilAlive(open);
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('capability:invoke');
  const start = dialog.getByRole('button', { name: 'Install', exact: true });
  await expect(start).toBeDisabled();
  await tabTo(page, dialog.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, start);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toContainText('is installed');
  await expect(dialog.getByRole('list', { name: 'Stages' }).getByRole('listitem')).toHaveCount(5);
  await tabTo(page, dialog.getByRole('button', { name: 'Close' }).last());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('Installed');

  const session = await api.send('/sessions', { json: { preset: 'qa-sim' } });
  expect(session.status).toBe(201);
  const { id } = session.body as { id: string };

  await page.goto(`/${slug}/marketplace/QA_SIM?tab=usage`);
  const remove = page.getByRole('button', { name: 'Uninstall…' });
  await untilAlive(remove);
  await expect(page.getByRole('main')).toContainText('1 chat');
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  const confirm = dialog.getByRole('button', { name: 'Uninstall', exact: true });
  await expect(confirm).toBeDisabled();
  await tabTo(page, dialog.getByRole('textbox'));
  await page.keyboard.type('QA_SIM');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('Available');

  const late = await api.send(`/sessions/${id}/messages`, { json: { text: 'How many runs failed this week?' } });
  expect(late).toMatchObject({ status: 409, body: { message: 'plugin not installed: QA_SIM' } });
  expect((await api.send(`/sessions/${id}`)).status).toBe(200);
});

test('a member asks for a plugin, an admin refuses, and the next request is approved by installing', async ({
  page,
  browser,
  origin,
  openAs,
}) => {
  const { slug, ownerApi, addPerson, apiOf } = await createWorkspace(origin);
  const member = await apiOf(await addPerson('member'));
  await openAs(member);
  await page.goto(`/${slug}/marketplace/QA_SIM`);
  const ask = page.getByRole('button', { name: 'Ask for it…' });
  await untilAlive(ask);
  await expect(page.getByRole('button', { name: 'Install…' })).toHaveCount(0);
  await ask.click();
  await page.getByRole('textbox', { name: 'What you need it for' }).fill('To count our runs');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('Nobody has decided yet.')).toBeVisible();

  const admin = await browser.newContext();
  const theirs = await admin.newPage();
  await admin.addCookies(
    (ownerApi.identity.cookie ?? '').split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: origin };
    }),
  );
  await theirs.goto(`${origin}/${slug}/marketplace?view=requests`);
  const refuse = theirs.getByRole('button', { name: 'Refuse…' });
  await untilAlive(refuse);
  await expect(theirs.getByRole('list', { name: 'Requests for plugins' })).toContainText('To count our runs');
  await refuse.click();
  await theirs.getByRole('dialog').getByRole('textbox').fill('Not this term');
  await theirs.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click();
  await expect(theirs.getByRole('list', { name: 'Requests for plugins' })).toContainText('Refused');
  await admin.close();

  await page.goto(`/${slug}/marketplace?view=requests`);
  await expect(page.getByRole('list', { name: 'Requests for plugins' })).toContainText('Not this term');
  const asked = await member.send('/marketplace/QA_SIM/requests', { json: { reason: 'This term' } });
  expect(asked.status).toBe(201);
  expect((await member.send('/marketplace/QA_SIM/install', { json: { version: '1.0.0', permissions: [] } })).status).toBe(403);
  const manifest = (await ownerApi.send('/marketplace/QA_SIM')).body as { version: string; permissions: { permission: string }[] };
  const consent = { version: manifest.version, permissions: manifest.permissions.map(({ permission }) => permission) };
  expect((await ownerApi.send('/marketplace/QA_SIM/install', { json: consent })).status).toBe(202);
  await expect
    .poll(async () => ((await member.send('/marketplace/requests')).body as { items: { state: string }[] }).items.map(({ state }) => state))
    .toEqual(['APPROVED', 'REFUSED']);
});

verifies('P-19', 'a member asks for a plugin and an admin approves it, both by keyboard alone', async ({ page, origin, openAs }) => {
  const workspace = await createWorkspace(origin);
  const member = await workspace.apiOf(await workspace.addPerson('member'));
  const { slug } = workspace;
  await openAs(member);
  // Found by how its Chinese name sounds.
  await page.goto(`/${slug}/marketplace?view=all`);
  const search = page.getByRole('searchbox');
  await untilAlive(search);
  await tabTo(page, search);
  await page.keyboard.type('huiyi');
  await expect(page).toHaveURL(/q=huiyi/);
  const plugins = page.getByRole('list', { name: 'Plugins' });
  await expect(plugins.getByRole('listitem')).toHaveCount(1);
  await tabTo(page, plugins.getByRole('link'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/marketplace\/[A-Z_]+$/);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const ask = page.getByRole('button', { name: 'Ask for it…' });
  await untilAlive(ask);
  await tabTo(page, ask);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('textbox'));
  await page.keyboard.type('For the minutes of the staff meeting.');
  await tabTo(page, dialog.getByRole('button', { name: 'Ask', exact: true }));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();

  await openAs(workspace.ownerApi);
  await page.goto(`/${slug}/marketplace?view=requests`);
  const request = page
    .getByRole('list', { name: 'Requests for plugins' })
    .getByRole('listitem')
    .filter({ hasText: 'the minutes of the staff meeting' });
  const review = request.getByRole('link');
  await untilAlive(review);
  await tabTo(page, review);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/marketplace/${id}`);
  const open = page.getByRole('button', { name: 'Install…' });
  await untilAlive(open);
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByRole('button', { name: 'Install', exact: true }));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toContainText('is installed');
  const requests = await member.send('/marketplace/requests');
  expect(requests.body).toMatchObject({ items: [{ pluginId: id, state: 'APPROVED', decidedBy: { name: workspace.owner.name } }] });
});
