import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';
import { RenameField } from './rename-field.tsx';

const session: SessionView = {
  id: 'ses_1',
  title: 'Old title',
  preset: 'default',
  state: 'IDLE',
  ownerId: 'usr_1',
  isPinned: false,
  isArchived: false,
  lastRun: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

afterEach(cleanup);

function open() {
  const onDone = vi.fn();
  const onChanged = vi.fn();
  render(
    <WorkspaceFrame>
      <RenameField session={session} onDone={onDone} onChanged={onChanged} />
    </WorkspaceFrame>,
  );
  return { onDone, onChanged, field: screen.getByLabelText<HTMLInputElement>('New title') };
}

describe('RenameField', () => {
  it('keeps the new title on Enter, once, and not on the Enter of an input method', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    const { onDone, onChanged, field } = open();
    fireEvent.change(field, { target: { value: '新标题' } });
    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true });
    fireEvent.keyDown(field, { key: 'Escape', code: 'Escape', keyCode: 27, isComposing: true });
    fireEvent.compositionEnd(field);
    expect(onDone).not.toHaveBeenCalled();
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    fireEvent.blur(field);
    expect(asked.map(({ method, body }) => [method, body])).toEqual([['PATCH', { title: '新标题' }]]);
    expect(onChanged).toHaveBeenCalledOnce();
  });

  it('leaves the title as it was on Escape', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    const { onDone, field } = open();
    fireEvent.change(field, { target: { value: 'something' } });
    fireEvent.keyDown(field, { key: 'Escape', code: 'Escape', keyCode: 27 });
    fireEvent.blur(field);
    expect(onDone).toHaveBeenCalledOnce();
    expect(asked).toEqual([]);
  });

  it('stays open with its text when the server does not take it', async () => {
    await startApiServer((_request, response) => answerJson(response, { code: 'internal', message: 'no', traceId: 't' }, 500));
    const { onDone, field } = open();
    fireEvent.change(field, { target: { value: 'kept' } });
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    await screen.findByText('The change did not reach the server.');
    expect(onDone).not.toHaveBeenCalled();
    expect(field.value).toBe('kept');
  });
});
