import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { ImportDocuments } from './import-documents.tsx';

/** The browser's request as far as uploads use it; a test says how each ends. */
class FakeRequest {
  static readonly sent: FakeRequest[] = [];
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onabort: (() => void) | null = null;
  onerror: (() => void) | null = null;
  status = 0;
  response: unknown = null;
  path = '';
  open(_method: string, path: string): void {
    this.path = path;
  }
  setRequestHeader(): void {
    // Nothing to remember.
  }
  send(): void {
    FakeRequest.sent.push(this);
  }
  abort(): void {
    this.onabort?.();
  }
  answer(status: number, response: unknown): void {
    Object.assign(this, { status, response });
    this.onload?.();
  }
}

beforeEach(() => {
  FakeRequest.sent.length = 0;
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const document = {
  id: 'doc_1',
  title: 'Rules',
  language: 'en',
  version: 1,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

describe('ImportDocuments', () => {
  it('sends files one after the other, shows how far each is, and sends one again that failed', async () => {
    render(
      <WorkspaceFrame me={ME}>
        <ImportDocuments />
      </WorkspaceFrame>,
    );
    const files = [new File(['a'], 'rules.txt', { type: 'text/plain' }), new File(['b'], 'photo.png', { type: 'image/png' })];
    fireEvent.change(screen.getByLabelText('Choose files', { selector: 'input' }), { target: { files } });
    await waitFor(() => expect(FakeRequest.sent).toHaveLength(1));
    FakeRequest.sent[0]?.upload.onprogress?.({ loaded: 1, total: 2 });
    expect(await screen.findByText('Sending, 50%')).toBeTruthy();
    FakeRequest.sent[0]?.answer(201, document);
    expect((await screen.findByRole('link', { name: 'Rules' })).getAttribute('href')).toBe(`/${ME.tenant.slug}/knowledge/doc_1`);
    await waitFor(() => expect(FakeRequest.sent).toHaveLength(2));
    FakeRequest.sent[1]?.answer(400, { code: 'unreadable_document', message: 'photo.png cannot be read', traceId: 't1' });
    expect(await screen.findByText('photo.png cannot be read', { exact: false })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Send photo.png again' }));
    await waitFor(() => expect(FakeRequest.sent).toHaveLength(3));
    expect(FakeRequest.sent.map(({ path }) => path.split('?')[1])).toEqual(['name=rules.txt', 'name=photo.png', 'name=photo.png']);
  });
});
