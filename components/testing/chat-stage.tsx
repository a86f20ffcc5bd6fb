import { cleanup, configure, render } from '@testing-library/react';
import { vi } from 'vitest';
import { ChatView } from '#components/chat/chat-view.tsx';
import type { MessageView, TranscriptView } from '#lib/conversations/contract.ts';
import { ME, WorkspaceFrame } from './workspace-frame.tsx';

const at = '2026-01-01T00:00:00.000Z';
/** The engine of Markdown is a module of its own, and takes its time. */
export const ENGINE_LOADS = { timeout: 10_000 };

// A real server answers, on a machine that may be busy.
configure({ asyncUtilTimeout: 5_000 });

let chatCount = 0;

/** What a browser has that jsdom does not, and a workspace of its own: live streams are kept by workspace while a page lives. */
export function setUpChat(): { slug: string } {
  chatCount += 1;
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('CSS', { supports: () => true });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => undefined;
  return { slug: `acme-${chatCount}` };
}

export function tearDownChat(): void {
  cleanup();
  localStorage.clear();
}

export function message(id: string, role: MessageView['role'], runId: string, text: string, parentId: string | null = null): MessageView {
  return { id, parentId, role, runId, text, state: 'complete', createdAt: at, isPinned: false, usage: null };
}

/** A chat of one turn. */
export function createTranscript(overrides: Partial<TranscriptView> = {}): TranscriptView {
  return {
    session: {
      id: 'ses_1',
      title: 'A chat',
      preset: 'default',
      state: 'IDLE',
      ownerId: ME.user.id,
      isPinned: false,
      isArchived: false,
      lastRun: null,
      createdAt: at,
      updatedAt: at,
    },
    messages: [message('msg_1', 'user', 'run_1', 'first question'), message('msg_2', 'assistant', 'run_1', 'first answer', 'msg_1')],
    activeRunIds: [],
    compactions: [],
    context: null,
    ...overrides,
  };
}

export function openChat(slug: string, transcript: TranscriptView, progress: Parameters<typeof ChatView>[0]['progress'] = []) {
  return render(
    <WorkspaceFrame me={{ ...ME, tenant: { ...ME.tenant, slug } }}>
      <ChatView initial={transcript} progress={progress} summaries={[]} presetName="General" model={null} readAt={Date.now()} />
    </WorkspaceFrame>,
  );
}
