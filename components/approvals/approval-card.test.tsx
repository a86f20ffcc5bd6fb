import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { ApprovalView } from '#lib/supervisor/contract.ts';
import { ApprovalCard } from './approval-card.tsx';

const asked: ApprovalView = {
  id: 'apv_1',
  runId: 'run_1',
  sessionId: 'ses_1',
  invocationId: 'inv_1',
  capabilityId: 'notes.write',
  capabilityVersion: '1.0.0',
  arguments: { title: 'Plan', copies: 2, isShared: true, tags: ['a'] },
  proposedArguments: null,
  risk: 'write',
  reason: 'outside-content',
  needsOther: false,
  state: 'OPEN',
  requestedBy: { userId: ME.user.id, name: ME.user.name },
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
  decidedBy: null,
  decidedAt: null,
  extent: null,
  note: null,
};
const allowed: ApprovalView = {
  ...asked,
  state: 'APPROVED',
  extent: 'once',
  decidedBy: { userId: ME.user.id, name: 'Li' },
  decidedAt: '2026-01-01T10:02:00.000Z',
};

afterEach(cleanup);

function open(approval: Partial<ApprovalView> = {}) {
  render(
    <WorkspaceFrame>
      <ApprovalCard approval={{ ...asked, ...approval }} />
    </WorkspaceFrame>,
  );
  return screen.getByRole('group', { name: /Decision/ });
}

const press = (target: Element, key: string, keys: { ctrlKey?: boolean; shiftKey?: boolean }) =>
  fireEvent.keyDown(target, { key, ...keys });

describe('ApprovalCard', () => {
  it('shows what would run and why it is asked about, allows it once, and keeps the decision', async () => {
    const server = await startApiServer((_request, response) => answerJson(response, allowed));
    const card = open();
    expect(card.textContent).toContain('the run has read what others wrote');
    expect(card.textContent).toContain('Changes something');
    expect(card.textContent).toContain('Plan');
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }));
    await screen.findByText(/Allowed by Li/);
    expect(server.asked).toMatchObject([{ method: 'POST', path: '/api/t/acme/approvals/apv_1', body: { decision: 'allow' } }]);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('sends arguments as they were changed, each of its kind, and nothing that cannot be read', async () => {
    const server = await startApiServer((_request, response) => answerJson(response, allowed));
    open();
    fireEvent.click(screen.getByRole('button', { name: 'Edit arguments…' }));
    fireEvent.change(screen.getByLabelText('title'), { target: { value: 'A better plan' } });
    fireEvent.change(screen.getByLabelText('copies'), { target: { value: 'two' } });
    expect(screen.getByText('Write a number.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Allow with these' })).toHaveProperty('disabled', true);
    fireEvent.change(screen.getByLabelText('copies'), { target: { value: '3' } });
    fireEvent.click(screen.getByLabelText('isShared'));
    fireEvent.change(screen.getByLabelText('tags'), { target: { value: '["a", "b"]' } });
    fireEvent.click(screen.getByRole('button', { name: 'Allow with these' }));
    await waitFor(() =>
      expect(server.asked[0]?.body).toEqual({
        decision: 'allow',
        arguments: { title: 'A better plan', copies: 3, isShared: false, tags: ['a', 'b'] },
      }),
    );
  });

  it('refuses with a reason', async () => {
    const server = await startApiServer((_request, response) =>
      answerJson(response, { ...allowed, state: 'DENIED', extent: null, note: 'not now' }),
    );
    open();
    fireEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    fireEvent.change(screen.getByLabelText(/Why not/), { target: { value: ' not now ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Deny' }));
    await screen.findByText(/Denied by Li/);
    expect(server.asked[0]?.body).toEqual({ decision: 'deny', note: 'not now' });
    expect(screen.getByText('“not now”')).toBeTruthy();
  });

  it('allows for the session what its person has ticked, and never offers it for what cannot be undone', async () => {
    const server = await startApiServer((_request, response) => answerJson(response, { ...allowed, extent: 'session' }));
    open();
    fireEvent.click(screen.getByRole('button', { name: 'Allow for this session…' }));
    fireEvent.click(screen.getByLabelText('title: Plan'));
    fireEvent.click(screen.getByRole('button', { name: 'Allow for this session' }));
    await waitFor(() => expect(server.asked).toHaveLength(1));
    expect(server.asked[0]?.body).toEqual({
      decision: 'allow',
      extent: 'session',
      sameArguments: ['copies', 'isShared', 'tags', 'title'],
    });
    cleanup();
    open({ risk: 'destructive' });
    expect(screen.queryByRole('button', { name: /session/ })).toBeNull();
  });

  it('has keys of its own, never Enter alone, and not those that delete a word in a text', async () => {
    const server = await startApiServer((_request, response) => answerJson(response, allowed));
    const card = open();
    press(document.body, 'Enter', { ctrlKey: true });
    act(() => card.focus());
    press(card, 'Enter', {});
    fireEvent.click(screen.getByRole('button', { name: 'Edit arguments…' }));
    act(() => screen.getByLabelText('title').focus());
    press(screen.getByLabelText('title'), 'Backspace', { ctrlKey: true, shiftKey: true });
    expect(server.asked).toHaveLength(0);
    act(() => card.focus());
    press(card, 'Backspace', { ctrlKey: true, shiftKey: true });
    await waitFor(() => expect(server.asked[0]?.body).toEqual({ decision: 'deny' }));
    cleanup();
    const next = open();
    act(() => next.focus());
    press(next, 'Enter', { ctrlKey: true });
    await waitFor(() => expect(server.asked[1]?.body).toEqual({ decision: 'allow' }));
  });

  it('says who was faster', async () => {
    await startApiServer((_request, response) =>
      answerJson(
        response,
        { code: 'already_decided', message: 'x', traceId: 't', details: { state: 'APPROVED', by: 'Li', at: '2026-01-01T10:02:00.000Z' } },
        409,
      ),
    );
    open();
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Allowed by Li');
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull();
  });

  it('asks nobody who may not decide', () => {
    open({ needsOther: true });
    expect(screen.getByText(/somebody else has to decide/)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    cleanup();
    open({ requestedBy: { userId: 'usr_other', name: 'Bo' } });
    expect(screen.queryByRole('button')).toBeNull();
  });
});
