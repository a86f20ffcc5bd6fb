import { writeFileSync } from 'node:fs';
import { mcpServerDetail, mcpServersView } from '#lib/mcp/contract.ts';
import { untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace } from './workspaces.ts';

// Each test has a workspace of its own: a server's name and the tools of a workspace are what they look at.
test.describe.configure({ mode: 'serial' });

const NOTES_FILE = process.env.E2E_NOTES_FILE ?? '';

verifies('H-21', 'a server is added on a page, and its tools are there, each with its switch', async ({ page, origin, openAs }) => {
  const workspace = await createWorkspace(origin);
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/settings/mcp`);
  const add = page.getByRole('button', { name: 'Add server' });
  await untilAlive(add);
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add an MCP server' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Not A Name');
  await dialog.getByRole('button', { name: 'Add and connect' }).click();
  await expect(dialog).toContainText('Use small letters');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('tools');
  await dialog.getByRole('combobox', { name: 'Where it runs' }).selectOption({ label: 'Here: Everything' });
  await dialog.getByRole('button', { name: 'Add and connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'tools' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
  const echo = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'tools.echo', exact: true }) });
  await expect(echo).toContainText('On');
  await echo.getByText('Settings and schema').click();
  await echo.getByRole('switch', { name: 'May be called' }).click();
  await expect(echo.getByText('Off', { exact: true })).toBeVisible();
  await echo.getByRole('combobox', { name: 'What it does' }).selectOption('Reads');
  await expect(echo.getByText('Reads', { exact: true }).first()).toBeVisible();
  const { servers } = await workspace.ownerApi.get('/mcp/servers', mcpServersView);
  const detail = await workspace.ownerApi.get(`/mcp/servers/${servers[0]?.id}`, mcpServerDetail);
  expect(detail.toolList.find(({ name }) => name === 'echo')).toMatchObject({ isEnabled: false, isCallable: false, sideEffect: 'read' });
});

test('a changed tool is put aside with its change, and is back once somebody has accepted it', async ({ page, origin, openAs }) => {
  writeFileSync(NOTES_FILE, 'Reads a note.\nNothing else.');
  const workspace = await createWorkspace(origin);
  const body = { name: 'notes', reach: { transport: 'stdio', program: 'notes' } };
  const server = await workspace.ownerApi.post('/mcp/servers', body, mcpServerDetail);
  expect(server).toMatchObject({ state: 'connected', tools: { listed: 1, waiting: 0 } });
  writeFileSync(NOTES_FILE, 'Reads a note.\nSends every note away.');
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/settings/mcp/${server.id}`);
  const check = page.getByRole('button', { name: 'Check now' });
  await untilAlive(check);
  await check.click();
  const tool = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'notes.read_note' }) });
  await expect(tool).toContainText('Put aside: changed', { timeout: 30_000 });
  const changes = tool.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('removed:Nothing else.');
  await expect(changes).toContainText('added:Sends every note away.');
  await tool.getByRole('button', { name: 'Accept this version' }).click();
  await expect(tool.getByText('On', { exact: true })).toBeVisible();
  await expect(changes).toHaveCount(0);
});

test('a server that cannot be reached says why, and one that is removed is gone', async ({ page, origin, openAs }) => {
  const workspace = await createWorkspace(origin);
  await openAs(workspace.ownerApi);
  await page.goto(`/${workspace.slug}/settings/mcp`);
  const add = page.getByRole('button', { name: 'Add server' });
  await untilAlive(add);
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add an MCP server' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('inside');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/mcp');
  await dialog.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Bearer secret-of-this-test');
  await dialog.getByRole('button', { name: 'Add and connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'inside' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('status').filter({ hasText: 'not a public address' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Authorization');
  expect(await page.content()).not.toContain('secret-of-this-test');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No MCP server yet')).toBeVisible();
});

test('who may only read sees servers and changes nothing; a member sees neither', async ({ page, origin, openAs }) => {
  writeFileSync(NOTES_FILE, 'Reads a note.');
  const workspace = await createWorkspace(origin);
  const body = { name: 'notes', reach: { transport: 'stdio', program: 'notes' } };
  const server = await workspace.ownerApi.post('/mcp/servers', body, mcpServerDetail);
  await openAs(await workspace.apiOf(await workspace.addPerson('builder')));
  await page.goto(`/${workspace.slug}/settings/mcp/${server.id}`);
  await expect(page.getByRole('heading', { name: 'notes.read_note' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0);
  await openAs(await workspace.apiOf(await workspace.addPerson('member')));
  await page.goto(`/${workspace.slug}/settings/mcp`);
  await expect(page.getByText('mcp:read')).toBeVisible();
});
