import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { PROVIDER } from '#components/testing/a-provider.ts';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { DocumentSearchView } from '#lib/knowledge/contract.ts';
import { EmbeddingSettings } from './embedding-settings.tsx';

const SPACE = {
  provider: { id: PROVIDER.id, name: PROVIDER.name },
  model: 'small',
  dimensions: 8,
  price: null,
  embedded: 3,
  passages: 3,
  problem: null,
};
const NONE: DocumentSearchView = { serving: 'words', reason: 'no-model', extension: 'ready', serves: null, builds: null };

afterEach(cleanup);

function open(search: DocumentSearchView, { canManage = true, providers = [PROVIDER] } = {}) {
  return render(
    <WorkspaceFrame path="/acme/settings/models">
      <EmbeddingSettings search={search} providers={providers} canManage={canManage} />
    </WorkspaceFrame>,
  );
}

describe('EmbeddingSettings', () => {
  it('tries a model, with its price, before it is used', async () => {
    const { asked } = await startApiServer((request, response) =>
      answerJson(response, request.method === 'POST' ? { ok: true, detail: null, dimensions: 1536, ms: 12 } : NONE),
    );
    open(NONE);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test' }).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Embedding model'), { target: { value: 'small' } });
    fireEvent.change(screen.getByLabelText('Price for a million tokens'), { target: { value: 'cheap' } });
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText(/Write an amount such as/)).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.change(screen.getByLabelText('Price for a million tokens'), { target: { value: '0.02' } });
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText('Answered 1,536 numbers in 12 ms.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Use this model' }));
    const body = { providerId: PROVIDER.id, model: 'small', price: { currency: 'USD', inputMicros: 20_000 } };
    await waitFor(() =>
      expect(asked).toMatchObject([
        { method: 'POST', path: '/api/t/acme/models/embedding/test', body },
        { method: 'PUT', path: '/api/t/acme/models/embedding', body },
      ]),
    );
  });

  it('says what serves, how far the next is, and why it went no further', () => {
    const builds = {
      ...SPACE,
      model: 'large',
      embedded: 1,
      problem: { at: '2026-01-01T11:59:00Z', message: 'The provider answered 503: busy' },
    };
    open({ serving: 'meaning', reason: 'serving', extension: 'ready', serves: SPACE, builds });
    expect(screen.getByText('By meaning and by words')).toBeDefined();
    expect(screen.getByText('1 of 3 passages placed with large')).toBeDefined();
    expect(screen.getByRole('progressbar', { name: 'Passages placed with large' })).toBeDefined();
    expect(screen.getByText(/answered 503: busy/)).toBeDefined();
  });

  it('says why words alone serve where nothing can be set, and offers nothing to who may only read', () => {
    open({ ...NONE, reason: 'no-extension', extension: 'absent' });
    expect(screen.getByText(/has no pgvector/)).toBeDefined();
    expect(screen.queryAllByRole('button')).toEqual([]);
    cleanup();
    open(NONE, { canManage: false });
    expect(screen.queryAllByRole('button')).toEqual([]);
    cleanup();
    open(NONE, { providers: [{ ...PROVIDER, kind: 'anthropic' }] });
    expect(screen.getByText(/Anthropic offers no embeddings/)).toBeDefined();
  });
});
