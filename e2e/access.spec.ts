import type { Page } from '@playwright/test';
import { newId } from '#lib/kernel/index.ts';
import { documentSummaryView } from '#lib/knowledge/contract.ts';
import { ChatPage, untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace } from './workspaces.ts';

const ROLES = {
  admin: { chats: true, allRuns: true, writesDocuments: true },
  builder: { chats: true, allRuns: true, writesDocuments: true },
  member: { chats: true, allRuns: false, writesDocuments: false },
  auditor: { chats: false, allRuns: true, writesDocuments: false },
} as const;

for (const [role, may] of Object.entries(ROLES)) {
  verifies(
    'P-18',
    `each role sees what it may, and is told what is missing where it may not: ${role}`,
    async ({ page, workspace, openAs }) => {
      const { slug, api } = workspace;
      const theirs = await api.createSession();
      const { snapshot } = await api.ask(theirs.id, `echo "of the owner, for the ${role}"`);
      const document = await api.send('/documents', { json: { title: 'House rules', language: 'en', body: '# House rules\n\nNo fires.' } });
      const documentId = documentSummaryView.parse(document.body).id;
      await openAs(await workspace.apiOf(await workspace.addPerson(role)));
      const navigation = page.getByRole('navigation', { name: 'Main' });
      const denied = (permission: string) => page.getByText(`It needs the permission ${permission}`);

      await page.goto(`/${slug}/chat`);
      await expect(navigation.getByRole('link', { name: 'Runs' })).toBeVisible();
      await expect(navigation.getByRole('link', { name: 'New chat' })).toHaveCount(may.chats ? 1 : 0);
      if (may.chats) await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
      else await expect(denied('conversation:read')).toBeVisible();

      await page.goto(`/${slug}/runs`);
      await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
      await expect(page.getByRole('row').filter({ hasText: `for the ${role}` })).toHaveCount(may.allRuns ? 1 : 0);
      await page.goto(`/${slug}/runs/${snapshot.runId}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(may.allRuns ? /^Finished/ : 'There is nothing at this address');

      // Somebody else's chat is not there, for an Admin neither.
      await page.goto(`/${slug}/chat/${theirs.id}`);
      if (may.chats) await expect(page.getByText('There is nothing at this address')).toBeVisible();
      else await expect(denied('conversation:read')).toBeVisible();

      await page.goto(`/${slug}/knowledge/${documentId}`);
      await expect(page.getByText('No fires.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(may.writesDocuments ? 1 : 0);
      await page.goto(`/${slug}/knowledge/new`);
      if (may.writesDocuments) await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible();
      else await expect(denied('knowledge:write')).toBeVisible();
    },
  );
}

/** What a page shows, without the list of first steps, which comes when it is known and is one's own. */
function readPage(page: Page): Promise<string> {
  return page.evaluate(() => {
    const steps = document.querySelector<HTMLElement>('section[aria-label="First steps"]')?.innerText ?? '';
    return document.body.innerText.replace(steps, '').replaceAll(/\s+/g, ' ');
  });
}

verifies(['K15', 'P-18'], 'another workspace’s pages answer as if there were none', async ({ page, workspace, origin, openAs }) => {
  const other = await createWorkspace(origin, 'Next Door');
  const session = await other.api.createSession();
  const { snapshot } = await other.api.ask(session.id, 'echo "not yours"');
  await openAs(workspace.ownerApi);
  const { slug } = workspace;
  for (const [path, twin] of [
    [`/${other.slug}/chat`, '/no-such-workspace/chat'],
    [`/${other.slug}/runs/${snapshot.runId}`, `/no-such-workspace/runs/${newId('run')}`],
    [`/${slug}/chat/${session.id}`, `/${slug}/chat/${newId('session')}`],
    [`/${slug}/runs/${snapshot.runId}`, `/${slug}/runs/${newId('run')}`],
    [`/${slug}/knowledge/${newId('document')}`, `/${slug}/knowledge/nonsense`],
    [`/${slug}/nothing-here`, `/${slug}/runs/x/y`],
  ] as const) {
    const texts: string[] = [];
    for (const address of [path, twin]) {
      const answer = await page.goto(address);
      await expect(page.getByText('There is nothing at this address')).toBeVisible();
      texts.push(`${answer?.status()} ${await readPage(page)}`);
    }
    expect(texts[0]).toBe(texts[1]);
  }
});

verifies(
  'K17',
  'whoever is removed with a page open is told, and the next click leads to signing in or nowhere',
  async ({ page, workspace, openAs }) => {
    const person = await workspace.addPerson('member');
    const api = await workspace.apiOf(person);
    await openAs(api);
    const chat = new ChatPage(page, workspace.slug);
    await chat.open();
    await chat.begin('stream chunks: 400 chunks, 40 ms');
    await expect(chat.turns.last()).toContainText('chunk-3 ');
    expect((await workspace.ownerApi.send(`/members/${person.userId}`, { method: 'DELETE' })).status).toBe(204);
    await expect(page.getByText('Live updates ended: you are signed out or no longer a member.')).toBeVisible({ timeout: 10_000 });
    await chat.send('echo "one more"');
    await expect(page.getByText('Not sent')).toBeVisible();
    await page.goto(`/${workspace.slug}/chat`);
    await expect(page.getByText('There is nothing at this address')).toBeVisible();
  },
);

test('a page that needs signing in is come back to after it', async ({ page, workspace }) => {
  const path = `/${workspace.slug}/runs?state=FINISH_OK`;
  await page.goto(path);
  await expect(page).toHaveURL(/\/sign-in\?/);
  const send = page.getByRole('button', { name: 'Sign in' });
  await untilAlive(send);
  await page.getByRole('textbox', { name: 'Email' }).fill(workspace.owner.email);
  await page.getByLabel('Password').fill(workspace.owner.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(path);
});
