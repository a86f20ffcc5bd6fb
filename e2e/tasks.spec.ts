import { sessionView } from '#lib/conversations/contract.ts';
import { expect } from './fixtures.ts';
import { installPlugin } from './install-plugin.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace } from './workspaces.ts';

verifies(
  'H-36',
  'tasks of a message are runs of their own, linked both ways, and no chats of the list',
  async ({ origin, page, openAs }) => {
    const { ownerApi, slug } = await createWorkspace(origin);
    await installPlugin(ownerApi, 'PARALLEL_TASKS');
    const { id } = await ownerApi.post('/sessions', { preset: 'parallel-tasks' }, sessionView);
    const { snapshot } = await ownerApi.ask(id, 'Please do these:\n1. What is 17% of 2,340?\n2. Echo "good morning"');
    expect(snapshot.echo).toContain('397.8');
    expect(snapshot.echo).toContain('good morning');
    await openAs(ownerApi);
    await page.goto(`/${slug}/runs/${snapshot.runId}`);
    const tasks = page.getByRole('list', { name: 'Tasks handed on' });
    await expect(tasks.getByRole('listitem')).toHaveCount(2);
    await tasks.getByRole('link', { name: 'What is 17% of 2,340?' }).click();
    await expect(page.getByText('Handed on by')).toBeVisible();
    await page.getByRole('link', { name: snapshot.runId }).click();
    await expect(page).toHaveURL(new RegExp(`/runs/${snapshot.runId}`));
    await expect(tasks).toBeVisible();
    await page.goto(`/${slug}/chat/${id}`);
    await expect(page.getByText('397.8')).toBeVisible();
    await expect(page.getByRole('navigation').getByText('Echo "good morning"')).toHaveCount(0);
  },
);
