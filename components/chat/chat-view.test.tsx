import type { ServerResponse } from 'node:http';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AskedRequest, answerJson, startApiServer } from '#components/testing/api-server.ts';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { verifies } from '#e2e/verifies.ts';
import { type MessageView, sendMessageBody, type TranscriptView } from '#lib/conversations/contract.ts';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { ChatView } from './chat-view.tsx';
import { applyRunEvents, startProgress } from './run-progress.ts';

const at = '2026-01-01T00:00:00.000Z';
/** The engine of Markdown is a module of its own. */
const ENGINE_LOADS = { timeout: 10_000 };
let tenantCount = 0;
let slug = '';

beforeEach(() => {
  // Live streams are kept by workspace for as long as the page lives: each test has its own.
  tenantCount += 1;
  slug = `acme-${tenantCount}`;
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
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

function message(id: string, role: MessageView['role'], runId: string, text: string, parentId: string | null = null): MessageView {
  return { id, parentId, role, runId, text, state: 'complete', createdAt: at, usage: null };
}

function createTranscript(overrides: Partial<TranscriptView> = {}): TranscriptView {
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
    ...overrides,
  };
}

function open(transcript: TranscriptView, progress: Parameters<typeof ChatView>[0]['progress'] = []) {
  return render(
    <WorkspaceFrame me={{ ...ME, tenant: { ...ME.tenant, slug } }}>
      <ChatView initial={transcript} progress={progress} summaries={[]} presetName="General" model={null} readAt={Date.now()} />
    </WorkspaceFrame>,
  );
}

function secondAnswer(): string | null {
  const [, second] = screen.getAllByRole('article');
  if (!second) throw new Error('there is no second turn');
  return within(second).getByText(/^片0 /).textContent;
}

/** A run's log and the stream of it, as the server sends both. */
class LoggedRun {
  readonly events: RunEventView[] = [];
  readonly #readers = new Map<ServerResponse, number>();
  isOver = false;

  readonly runId: string;

  constructor(runId: string) {
    this.runId = runId;
  }

  say(type: string, payload: Record<string, unknown> = {}): void {
    this.events.push({ runId: this.runId, seq: this.events.length + 1, type, at, payload });
    this.#pump();
  }

  end(): void {
    this.isOver = true;
    this.#pump();
  }

  stream(request: AskedRequest, response: ServerResponse): void {
    const wanted = new URL(request.path, 'http://test').searchParams.get('runs') ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    this.#readers.set(response, Number(new RegExp(`${this.runId}:(\\d+)`).exec(wanted)?.[1] ?? 0));
    response.on('close', () => this.#readers.delete(response));
    this.#pump();
  }

  #pump(): void {
    for (const [response, after] of this.#readers) {
      for (const event of this.events.slice(after))
        response.write(`id: ${this.runId}:${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      this.#readers.set(response, this.events.length);
      if (this.isOver)
        response.write(`event: done\ndata: ${JSON.stringify({ runId: this.runId, sessionId: 'ses_1', preset: 'default' })}\n\n`);
    }
  }
}

describe('ChatView', () => {
  verifies(
    'K1',
    'resumes a turn as itself, once, with its text byte for byte over three dropped connections',
    async () => {
      const run = new LoggedRun('run_2');
      const pieces = Array.from({ length: 330 }, (_, index) => `片${index} `);
      run.say('UserPromptSubmitted', { messageId: 'msg_3', text: 'second question' });
      run.say('run-state', { from: 'QUEUED', to: 'RUNNING', reason: '' });
      for (const text of pieces.slice(0, 150)) run.say('text-delta', { step: 0, attempt: 1, text });
      const transcript = createTranscript({ activeRunIds: ['run_2'] });
      transcript.messages.push(message('msg_3', 'user', 'run_2', 'second question', 'msg_2'));
      const { cutAll } = await startApiServer((request, response) => {
        if (request.path.includes('/stream')) run.stream(request, response);
        else
          answerJson(
            response,
            run.isOver
              ? {
                  ...transcript,
                  activeRunIds: [],
                  messages: [...transcript.messages, message('msg_4', 'assistant', 'run_2', pieces.join(''), 'msg_3')],
                }
              : transcript,
          );
      });
      // The page was made after the first 40 events: the browser goes on from there.
      open(transcript, [applyRunEvents(startProgress('run_2'), run.events.slice(0, 40))]);
      await waitFor(() => expect(secondAnswer()).toBe(pieces.slice(0, 150).join('').trim()), { timeout: 4000 });
      for (const [from, to] of [
        [150, 200],
        [200, 260],
        [260, 330],
      ]) {
        cutAll();
        for (const text of pieces.slice(from, to)) run.say('text-delta', { step: 0, attempt: 1, text });
        await waitFor(() => expect(secondAnswer()).toBe(pieces.slice(0, to).join('').trim()), { timeout: 4000 });
      }
      run.say('ModelResponseProduced', { text: pieces.join('') });
      run.say('run-state', { from: 'RUNNING', to: 'FINISH_OK', reason: '' });
      run.end();
      await waitFor(() => expect(screen.getAllByText('Finished').length).toBeGreaterThan(0));
      await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
      expect(screen.getAllByRole('article')).toHaveLength(2);
      expect(screen.getAllByText('first answer')).toHaveLength(1);
      expect(secondAnswer()).toBe(pieces.join('').trim());
    },
    20_000,
  );

  it('keeps a message that did not arrive, and sends it again under the same key', async () => {
    let isDown = true;
    const stored = createTranscript({ activeRunIds: ['run_9'] });
    stored.messages.push(message('msg_9', 'user', 'run_9', 'do not lose this'));
    const { asked } = await startApiServer((request, response) => {
      if (request.path.endsWith('/messages') && isDown)
        answerJson(response, { code: 'unavailable', message: 'not ready', traceId: 'trace-1' }, 503);
      else if (request.path.endsWith('/messages')) answerJson(response, { runId: 'run_9', messageId: 'msg_9', queuePlace: 0 }, 202);
      else if (request.path.includes('/stream')) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      else answerJson(response, stored);
    });
    open(createTranscript());
    const field = screen.getByLabelText('Message');
    fireEvent.change(field, { target: { value: 'do not lose this' } });
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('trace-1');
    expect(localStorage.getItem(`bw-draft:${slug}:usr_1:ses_1`)).toBe('do not lose this');
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(localStorage.getItem(`bw-draft:${slug}:usr_1:ses_1`)).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
    const sent = asked.filter(({ path }) => path.endsWith('/messages'));
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await waitFor(() => expect(screen.getAllByText('do not lose this')).toHaveLength(1));
  });

  it('stops the run that is under way, and says the place of one that waits', async () => {
    const transcript = createTranscript({
      messages: [message('msg_1', 'user', 'run_1', 'long work'), message('msg_2', 'user', 'run_2', 'next', 'msg_1')],
      activeRunIds: ['run_1', 'run_2'],
    });
    const { asked } = await startApiServer((request, response) => {
      if (request.path.includes('/stream')) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      else answerJson(response, request.path.endsWith('/cancel') ? { state: 'RUNNING' } : transcript, 202);
    });
    open(transcript, [{ ...startProgress('run_1'), state: 'RUNNING' }, startProgress('run_2')]);
    expect(screen.getByText('1 message before this one')).toBeTruthy();
    fireEvent.keyDown(window, { key: '.', ctrlKey: true });
    await waitFor(() => expect(asked.map(({ path }) => path)).toContain(`/api/t/${slug}/runs/run_1/cancel`));
    expect(screen.getByRole('button', { name: 'Stopping…' })).toBeTruthy();
  });

  it('lets a reader of somebody else’s chat read, and says why there is nothing to write in', () => {
    const transcript = createTranscript();
    open({ ...transcript, session: { ...transcript.session, ownerId: 'usr_other' } });
    expect(screen.queryByLabelText('Message')).toBeNull();
    expect(screen.getByText(/somebody else's chat/)).toBeTruthy();
  });
});

/** A chat of two turns, the second asked again, and the server behind it that takes every message. */
async function openBranched() {
  const transcript = createTranscript();
  transcript.messages.push(
    message('msg_3', 'user', 'run_2', 'second question', 'msg_2'),
    message('msg_4', 'assistant', 'run_2', 'second answer', 'msg_3'),
    message('msg_5', 'user', 'run_3', 'second question', 'msg_2'),
    message('msg_6', 'assistant', 'run_3', 'second answer again', 'msg_5'),
  );
  let count = 0;
  const { asked } = await startApiServer((request, response) => {
    if (request.path.includes('/stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    } else if (/\/(messages|retry)$/.test(request.path)) {
      count += 1;
      const { text, parentId } = sendMessageBody.parse(request.body ?? { text: 'first question', parentId: null });
      const [id, runId] = [`new_${count}`, `run_new_${count}`];
      transcript.messages.push(message(id, 'user', runId, text, parentId ?? null));
      transcript.activeRunIds.push(runId);
      answerJson(response, { runId, messageId: id, queuePlace: 0 }, 202);
    } else answerJson(response, transcript);
  });
  open(structuredClone(transcript));
  return { transcript, sent: () => asked.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => sendMessageBody.parse(body)) };
}

function firstButton(name: string): HTMLElement {
  const [first] = screen.getAllByRole('button', { name });
  if (!first) throw new Error(`there is no button ${name}`);
  return first;
}

const questions = () => screen.getAllByRole('article').map((article) => within(article).getByText(/question|better/).textContent);
const ENTER = { key: 'Enter', code: 'Enter', keyCode: 13 };

function send(text: string) {
  const field = screen.getByLabelText('Message');
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, ENTER);
}

describe('branches of a chat', () => {
  it('shows the newest, and the others one step away by button and by key', async () => {
    await openBranched();
    await screen.findByText('second answer again', {}, ENGINE_LOADS);
    expect(screen.getByText('Branch 2 of 2')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Earlier branch' }));
    await screen.findByText('second answer');
    expect(screen.getByText('Branch 1 of 2')).toBeTruthy();
    fireEvent.keyDown(document.body, { key: '[' });
    expect(screen.getByText('Branch 1 of 2')).toBeTruthy();
    fireEvent.keyDown(document.body, { key: ']' });
    await screen.findByText('second answer again');
    fireEvent.keyDown(screen.getByLabelText('Message'), { key: '[' });
    expect(screen.getByText('Branch 2 of 2')).toBeTruthy();
  });

  it('remembers the one last shown', async () => {
    await openBranched();
    fireEvent.click(screen.getByRole('button', { name: 'Earlier branch' }));
    cleanup();
    await openBranched();
    expect(screen.getByText('Branch 1 of 2')).toBeTruthy();
    expect(localStorage.getItem(`bw-branch:${slug}:usr_1:ses_1`)).toBe('{"msg_1":"msg_3"}');
  });

  it('lets a message follow the last of the branch that is shown, and the next one that message', async () => {
    const { sent } = await openBranched();
    fireEvent.click(screen.getByRole('button', { name: 'Earlier branch' }));
    send('third question');
    send('fourth question');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()).toMatchObject([
      { text: 'third question', parentId: 'msg_4' },
      { text: 'fourth question', parentId: 'new_1' },
    ]);
    await waitFor(() => expect(questions()).toEqual(['first question', 'second question', 'third question', 'fourth question']));
    expect(screen.getByText('Branch 1 of 2')).toBeTruthy();
  });

  it('sends an edited message beside the first, which stays with all that followed it', async () => {
    const { sent } = await openBranched();
    fireEvent.click(firstButton('Edit as a branch'));
    const field = screen.getByLabelText<HTMLTextAreaElement>('Edit the message');
    expect(field.value).toBe('first question');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: 'a better one' } });
    fireEvent.keyDown(field, ENTER);
    await waitFor(() => expect(sent()).toMatchObject([{ text: 'a better one', parentId: null }]));
    await waitFor(() => expect(questions()).toEqual(['a better one']));
    expect(screen.getByText('Branch 2 of 2')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Earlier branch' }));
    await waitFor(() => expect(questions()).toEqual(['first question', 'second question']));
  });

  it('asks again as a branch of the same message', async () => {
    const { transcript } = await openBranched();
    fireEvent.click(firstButton('Ask again'));
    await waitFor(() => expect(questions()).toEqual(['first question']));
    expect(screen.getByText('Branch 2 of 2')).toBeTruthy();
    expect(transcript.messages.at(-1)).toMatchObject({ id: 'new_1', parentId: null });
  });

  verifies('K25', 'sends nothing of an edit while an input method is at work, and drops it only for an Escape of the reader', async () => {
    const { sent } = await openBranched();
    fireEvent.click(firstButton('Edit as a branch'));
    const field = screen.getByLabelText<HTMLTextAreaElement>('Edit the message');
    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { ...ENTER, isComposing: true });
    fireEvent.keyDown(field, { key: 'Process', code: 'Enter', keyCode: 229 });
    fireEvent.keyDown(field, { key: 'Escape', code: 'Escape', keyCode: 229 });
    fireEvent.compositionEnd(field);
    expect(screen.getByLabelText('Edit the message')).toBe(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13, shiftKey: true });
    expect(sent()).toEqual([]);
    fireEvent.keyDown(field, { key: 'Escape', code: 'Escape', keyCode: 27 });
    expect(screen.queryByLabelText('Edit the message')).toBeNull();
    expect(sent()).toEqual([]);
  });

  it('offers a reader who may not write neither an edit nor another asking', () => {
    const transcript = createTranscript();
    open({ ...transcript, session: { ...transcript.session, ownerId: 'usr_other' } });
    expect(screen.queryByRole('button', { name: 'Edit as a branch' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ask again' })).toBeNull();
  });
});
