import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { FactView } from '#lib/knowledge/contract.ts';
import { FactList } from './fact-list.tsx';

const FACT: FactView = { id: 'fct_1', text: 'I prefer miles.', runId: 'run_1', createdAt: '2026-01-01T11:00:00Z' };

afterEach(cleanup);

function open(facts: readonly FactView[], canWrite = true) {
  render(
    <WorkspaceFrame path="/acme/memory">
      <FactList facts={facts} canWrite={canWrite} />
    </WorkspaceFrame>,
  );
}

describe('FactList', () => {
  it('adds on Enter, once, but neither on the Enter of an input method nor without a text', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, FACT, 201));
    open([]);
    const field = screen.getByLabelText<HTMLTextAreaElement>('Something to remember');
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    fireEvent.change(field, { target: { value: ' 我喜欢用英里 ' } });
    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true });
    fireEvent.compositionEnd(field);
    expect(asked).toEqual([]);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    await waitFor(() => expect(field.value).toBe(''));
    expect(asked).toMatchObject([{ method: 'POST', path: '/api/t/acme/facts', body: { text: '我喜欢用英里' } }]);
  });

  it('keeps the text when the server does not take it, and refuses one that is too long', async () => {
    await startApiServer((_request, response) => answerJson(response, { code: 'internal', message: 'no', traceId: 't' }, 500));
    open([]);
    const field = screen.getByLabelText<HTMLTextAreaElement>('Something to remember');
    fireEvent.change(field, { target: { value: 'x'.repeat(2001) } });
    expect(screen.getByText('1 character too many')).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Remember' }).disabled).toBe(true);
    fireEvent.change(field, { target: { value: 'kept' } });
    fireEvent.click(screen.getByRole('button', { name: 'Remember' }));
    await screen.findByRole('alert');
    expect(field.value).toBe('kept');
  });

  it('edits in place', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, FACT));
    open([FACT]);
    expect(screen.getByRole('link', { name: 'from a run' }).getAttribute('href')).toBe('/acme/runs/run_1');
    fireEvent.click(screen.getByRole('button', { name: 'Edit: I prefer miles.' }));
    const field = screen.getByLabelText<HTMLTextAreaElement>('New text');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: 'I prefer kilometres.' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByLabelText('New text')).toBeNull());
    expect(asked).toMatchObject([{ method: 'PUT', path: '/api/t/acme/facts/fct_1', body: { text: 'I prefer kilometres.' } }]);
  });

  it('asks before it forgets', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, null));
    open([FACT]);
    fireEvent.click(screen.getByRole('button', { name: 'Forget: I prefer miles.' }));
    await screen.findByText('Forget this?');
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Forget' }));
    await waitFor(() => expect(asked).toMatchObject([{ method: 'DELETE', path: '/api/t/acme/facts/fct_1' }]));
  });

  it('offers nothing to change to who may only read', () => {
    open([FACT], false);
    expect(screen.queryAllByRole('button')).toEqual([]);
    expect(screen.queryByLabelText('Something to remember')).toBeNull();
  });
});
