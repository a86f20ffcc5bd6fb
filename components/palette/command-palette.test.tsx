import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { CommandPalette } from './command-palette.tsx';

beforeEach(() => {
  Object.assign(Element.prototype, { scrollIntoView() {} });
});
afterEach(cleanup);

const CHAT = {
  id: 'ses_1',
  title: '奖学金申请',
  preset: 'default',
  state: 'IDLE',
  ownerId: 'usr_1',
  isPinned: false,
  isArchived: false,
  lastRun: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

async function openPalette() {
  const api = await startApiServer(({ path }, response) =>
    answerJson(
      response,
      path.includes('/sessions') && path.includes('q=') ? { items: [CHAT], nextCursor: null } : { items: [], nextCursor: null },
    ),
  );
  const onClose = vi.fn();
  render(
    <WorkspaceFrame>
      <CommandPalette onClose={onClose} onCopied={() => {}} />
    </WorkspaceFrame>,
  );
  return { ...api, onClose, field: screen.getByRole('combobox') };
}
const active = () => screen.getByRole('option', { selected: true }).textContent;

it('offers only the places that the person may go to', async () => {
  await openPalette();
  expect(screen.getByRole('option', { name: /Runs/ })).toBeTruthy();
  expect(screen.queryByRole('option', { name: /Settings/ })).toBeNull();
});

it('moves by arrows around its ends, says which option is meant, and does it on Enter', async () => {
  const { field, onClose } = await openPalette();
  const first = active();
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
  fireEvent.keyDown(field, { key: 'ArrowUp' });
  expect(active()).toBe('Sign out');
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(active()).toBe(first);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onClose).toHaveBeenCalledOnce();
});

it('leaves Enter and arrows to an input method that is composing', async () => {
  const { field, onClose } = await openPalette();
  const first = active();
  fireEvent.compositionStart(field);
  fireEvent.keyDown(field, { key: 'ArrowDown', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect(active()).toBe(first);
  expect(onClose).not.toHaveBeenCalled();
});

it('gives the focus back to what had it, when Escape closes it', async () => {
  await startApiServer((_request, response) => answerJson(response, { items: [], nextCursor: null }));
  const shown = (isOpen: boolean) => (
    <WorkspaceFrame>
      <button type="button">before</button>
      {isOpen ? <CommandPalette onClose={() => rerender(shown(false))} onCopied={() => {}} /> : null}
    </WorkspaceFrame>
  );
  const { rerender } = render(shown(false));
  const before = screen.getByRole('button', { name: 'before' });
  before.focus();
  rerender(shown(true));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')));
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(before));
});

it('finds chats by their titles with what is typed', async () => {
  const { field, asked } = await openPalette();
  fireEvent.change(field, { target: { value: '奖学金' } });
  expect(await screen.findByRole('option', { name: '奖学金申请' })).toBeTruthy();
  expect(asked.some(({ path }) => path.includes(`q=${encodeURIComponent('奖学金')}`))).toBe(true);
});

it('offers nothing that an earlier query found and this one does not mean, while it is looked for', async () => {
  const { field } = await openPalette();
  fireEvent.change(field, { target: { value: '奖学金' } });
  await screen.findByRole('option', { name: '奖学金申请' });
  fireEvent.change(field, { target: { value: 'theme' } });
  expect(screen.queryByRole('option', { name: '奖学金申请' })).toBeNull();
  fireEvent.change(field, { target: { value: '申请' } });
  expect(screen.getByRole('option', { name: '奖学金申请' })).toBeTruthy();
});

it('gives a chat that has no title yet a name', async () => {
  await startApiServer(({ path }, response) =>
    answerJson(response, { items: path.includes('/sessions') ? [{ ...CHAT, title: '' }] : [], nextCursor: null }),
  );
  render(
    <WorkspaceFrame>
      <CommandPalette onClose={() => {}} onCopied={() => {}} />
    </WorkspaceFrame>,
  );
  expect(await screen.findByRole('option', { name: 'New chat' })).toBeTruthy();
});
