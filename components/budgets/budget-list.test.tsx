import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { BudgetView } from '#lib/models/contract.ts';
import { NewBudget } from './budget-dialogs.tsx';
import { BudgetList } from './budget-list.tsx';
import { SessionBudgets } from './session-budgets.tsx';

afterEach(cleanup);

const aBudget = (more: Partial<BudgetView> = {}): BudgetView => ({
  id: 'bud_1',
  subject: 'tenant',
  person: null,
  measure: 'money',
  currency: 'USD',
  period: 'month',
  softLimit: 80_000_000,
  hardLimit: 100_000_000,
  endsAt: '2026-02-01T00:00:00Z',
  uses: [{ id: 'ten_1', name: null, used: 90_250_000, reserved: 1_000_000 }],
  updatedAt: '2026-01-01T00:00:00Z',
  updatedBy: 'Li',
  ...more,
});
const PEOPLE = [{ value: 'usr_2', label: 'Bo' }];

function open(budgets: readonly BudgetView[], canManage = true) {
  render(
    <WorkspaceFrame path="/acme/settings/budgets">
      <BudgetList budgets={budgets} people={PEOPLE} canManage={canManage} />
    </WorkspaceFrame>,
  );
  return within(screen.getByRole('list', { name: 'Budgets' }));
}

describe('BudgetList', () => {
  it('says what is used and held, which limit is met, and when it counts anew', () => {
    const list = open([aBudget()]);
    expect(list.getByRole('heading', { name: 'Everyone together, each month' })).toBeDefined();
    expect(list.getByText('Concise answers from $80.00 · At most $100.00')).toBeDefined();
    expect(list.getByText('$90.25 used, $1.00 held for calls under way')).toBeDefined();
    expect(list.getByText('Concise answers')).toBeDefined();
    expect(list.getByText(/^Counts anew/).textContent).toContain('Feb 1, 2026');
  });

  it('names each person or chat by what they have used', () => {
    const uses = [
      { id: 'ses_1', name: 'About tea', used: 1_000, reserved: 0 },
      { id: 'ses_2', name: null, used: 20, reserved: 0 },
    ];
    const budget = aBudget({
      subject: 'session',
      measure: 'tokens',
      currency: null,
      period: 'total',
      softLimit: null,
      hardLimit: 1_000,
      endsAt: null,
      uses,
    });
    const list = open([budget]);
    const rows = within(list.getByRole('list', { name: 'Used by' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual(['About tea1,000 tokens usedUsed up', 'A chat without a title20 tokens usedWithin']);
  });

  it('offers nothing to change to who may only read', () => {
    open([aBudget()], false);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('changes the limits alone', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, aBudget()));
    open([aBudget()]);
    fireEvent.click(screen.getByRole('button', { name: 'Change the limits of Everyone together, each month' }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.queryAllByRole('combobox')).toEqual([]);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Soft limit (USD)' }), { target: { value: '' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked).toMatchObject([
      { method: 'PATCH', path: '/api/t/acme/budgets/bud_1', body: { softLimit: null, hardLimit: 100_000_000 } },
    ]);
  });
});

describe('NewBudget', () => {
  it('sets a budget for one person, and says what is wrong before it asks', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, aBudget(), 201));
    render(
      <WorkspaceFrame path="/acme/settings/budgets">
        <NewBudget people={PEOPLE} look="primary" />
      </WorkspaceFrame>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'New budget' }));
    const dialog = within(screen.getByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Set a limit, a soft limit, or both.')).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.change(dialog.getByRole('combobox', { name: 'For' }), { target: { value: 'user' } });
    fireEvent.change(dialog.getByRole('combobox', { name: 'Person' }), { target: { value: 'usr_2' } });
    fireEvent.change(dialog.getByRole('combobox', { name: 'Period' }), { target: { value: 'day' } });
    fireEvent.change(dialog.getByRole('textbox', { name: 'Limit (tokens)' }), { target: { value: '50,000' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { subject: 'user', userId: 'usr_2', measure: 'tokens', currency: null, period: 'day', softLimit: null, hardLimit: 50_000 }],
    ]);
  });
});

const show = () =>
  render(
    <WorkspaceFrame>
      <SessionBudgets sessionId="ses_1" />
    </WorkspaceFrame>,
  );

describe('SessionBudgets', () => {
  it('tells of each budget that holds for the chat', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, { items: [aBudget()] }));
    show();
    expect(await screen.findByText('$90.25 of $100.00')).toBeDefined();
    expect(screen.getByText('Concise answers from $80.00')).toBeDefined();
    expect(asked.map(({ path }) => path)).toEqual(['/api/t/acme/sessions/ses_1/budgets']);
  });

  it('says so when they cannot be read', async () => {
    await startApiServer((_request, response) => answerJson(response, { error: { code: 'unavailable', message: 'away' } }, 503));
    show();
    expect(await screen.findByText('The budgets could not be read.')).toBeDefined();
  });
});
