import type { Page } from '@playwright/test';
import { untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { createWorkspace } from './workspaces.ts';

const budgets = (page: Page) => page.getByRole('list', { name: 'Budgets' }).getByRole('listitem');

test('a budget is set, changed and removed by who manages budgets, and only read by who audits', async ({ page, origin, openAs }) => {
  const workspace = await createWorkspace(origin, 'Thrifty');
  const { slug } = workspace;
  await openAs(workspace.ownerApi);
  await page.goto(`/${slug}/settings/budgets`);
  await expect(page.getByText('No budgets')).toBeVisible();
  await untilAlive(page.getByRole('button', { name: 'New budget' }));
  await page.getByRole('button', { name: 'New budget' }).click();
  const form = page.getByRole('dialog', { name: 'New budget' });
  await form.getByRole('combobox', { name: 'Counts' }).selectOption('Money');
  await form.getByRole('button', { name: 'Save' }).click();
  // Where it is wrong is where to go on.
  const limit = form.getByRole('textbox', { name: /^Limit/ });
  await expect(limit).toBeFocused();
  await expect(form.getByText('Set a limit, a soft limit, or both.')).toBeVisible();
  await limit.fill('100');
  await form.getByRole('textbox', { name: /^Soft limit/ }).fill('80.50');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  const row = budgets(page).filter({ hasText: 'Everyone together' });
  await expect(row).toContainText('Concise answers from $80.50 · At most $100.00');
  await expect(row).toContainText('$0.00 used');

  await row.getByRole('button', { name: 'Change the limits of Everyone together, each month' }).click();
  const change = page.getByRole('dialog', { name: 'Everyone together, each month' });
  await change.getByRole('textbox', { name: /^Soft limit/ }).fill('');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(row).not.toContainText('Concise answers from');
  await expect(row).toContainText('At most $100.00');

  await openAs(await workspace.apiOf(await workspace.addPerson('auditor')));
  await page.reload();
  await expect(row).toContainText('At most $100.00');
  await expect(page.getByRole('button', { name: /budget|limits/i })).toHaveCount(0);
  await page.goto(`/${slug}/settings/usage?by=person&days=7`);
  await expect(page.getByText('No model was called')).toBeVisible();
  await openAs(await workspace.apiOf(await workspace.addPerson('member')));
  await page.goto(`/${slug}/settings/budgets`);
  await expect(page.getByText('It needs the permission budget:read')).toBeVisible();

  await openAs(workspace.ownerApi);
  await page.goto(`/${slug}/settings/budgets`);
  await untilAlive(page.getByRole('button', { name: /^Remove the budget/ }));
  await page.getByRole('button', { name: /^Remove the budget/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove budget' }).click();
  await expect(page.getByText('No budgets')).toBeVisible();
});
