import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { TermView } from '#lib/knowledge/contract.ts';
import { TermList } from './term-list.tsx';

const TERM: TermView = {
  id: 'trm_1',
  term: 'PO',
  meaning: 'Purchase order.',
  synonyms: ['order form'],
  version: 3,
  updatedAt: '2026-01-01T11:00:00Z',
};

afterEach(cleanup);

function open(terms: readonly TermView[], canWrite = true) {
  render(
    <WorkspaceFrame path="/acme/knowledge/terms">
      <TermList terms={terms} canWrite={canWrite} />
    </WorkspaceFrame>,
  );
}

const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('TermList', () => {
  it('adds a term with its other names, however they are separated', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, TERM, 201));
    open([]);
    fireEvent.click(screen.getByRole('button', { name: 'Add a term' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Term'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    write('Term', ' PO ');
    write('Also called', '采购单、order form, 订单；');
    write('Meaning', 'Purchase order.');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByLabelText('Term')).toBeNull());
    const body = { term: 'PO', meaning: 'Purchase order.', synonyms: ['采购单', 'order form', '订单'] };
    expect(asked).toMatchObject([{ method: 'POST', path: '/api/t/acme/terms', body }]);
  });

  it('shows what somebody else saved meanwhile, and saves over it only when told to', async () => {
    const theirs = { ...TERM, meaning: 'Theirs.', version: 4 };
    const { asked } = await startApiServer((request, response) => {
      if (request.method === 'GET') return answerJson(response, theirs);
      const isOld = (request.body as { expectedVersion: number }).expectedVersion !== 4;
      return isOld ? answerJson(response, { code: 'conflict', message: 'no', traceId: 't' }, 409) : answerJson(response, theirs);
    });
    open([TERM]);
    fireEvent.click(screen.getByRole('button', { name: 'Edit PO' }));
    write('Meaning', 'Mine.');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/Theirs\./);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Meaning').value).toBe('Mine.');
    fireEvent.click(screen.getByRole('button', { name: 'Save mine over it' }));
    await waitFor(() => expect(screen.queryByLabelText('Meaning')).toBeNull());
    expect(asked.at(-1)).toMatchObject({ method: 'PUT', body: { meaning: 'Mine.', expectedVersion: 4 } });
  });

  it('says that a name is taken, and keeps what was written', async () => {
    await startApiServer((_request, response) => answerJson(response, { code: 'conflict', message: 'taken', traceId: 't' }, 409));
    open([]);
    fireEvent.click(screen.getByRole('button', { name: 'Add a term' }));
    write('Term', 'PO');
    write('Meaning', 'Mine.');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('alert');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Meaning').value).toBe('Mine.');
  });

  it('asks before it removes', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, null));
    open([TERM]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove PO' }));
    await screen.findByText('Remove "PO"?');
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(asked).toMatchObject([{ method: 'DELETE', path: '/api/t/acme/terms/trm_1' }]));
  });

  it('offers nothing to change to who may only read', () => {
    open([TERM], false);
    expect(screen.getByText('Also: order form')).toBeDefined();
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});
