import type { ServerResponse } from 'node:http';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskedRequest, answerJson, startApiServer } from '#components/testing/api-server.ts';
import { createTranscript, message, openChat, setUpChat, tearDownChat } from '#components/testing/chat-stage.tsx';
import { verifies } from '#e2e/verifies.ts';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { applyRunEvents, startProgress } from './run-progress.ts';

const at = '2026-01-01T00:00:00.000Z';
let slug = '';

beforeEach(() => {
  ({ slug } = setUpChat());
});
afterEach(tearDownChat);

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

describe('ChatView', { timeout: 30_000 }, () => {
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
      openChat(slug, transcript, [applyRunEvents(startProgress('run_2'), run.events.slice(0, 40))]);
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
    openChat(slug, createTranscript());
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
    openChat(slug, transcript, [{ ...startProgress('run_1'), state: 'RUNNING' }, startProgress('run_2')]);
    expect(screen.getByText('1 message before this one')).toBeTruthy();
    fireEvent.keyDown(window, { key: '.', ctrlKey: true });
    await waitFor(() => expect(asked.map(({ path }) => path)).toContain(`/api/t/${slug}/runs/run_1/cancel`));
    expect(screen.getByRole('button', { name: 'Stopping…' })).toBeTruthy();
  });

  it('lets a reader of somebody else’s chat read, and says why there is nothing to write in', () => {
    const transcript = createTranscript();
    openChat(slug, { ...transcript, session: { ...transcript.session, ownerId: 'usr_other' } });
    expect(screen.queryByLabelText('Message')).toBeNull();
    expect(screen.getByText(/somebody else's chat/)).toBeTruthy();
  });
});
