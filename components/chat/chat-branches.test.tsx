import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { createTranscript, ENGINE_LOADS, message, openChat, setUpChat, tearDownChat } from '#components/testing/chat-stage.tsx';
import { verifies } from '#e2e/verifies.ts';
import { sendMessageBody } from '#lib/conversations/contract.ts';

let slug = '';

beforeEach(() => {
  ({ slug } = setUpChat());
});
afterEach(tearDownChat);

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
  openChat(slug, structuredClone(transcript));
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

describe('branches of a chat', { timeout: 30_000 }, () => {
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
    openChat(slug, { ...transcript, session: { ...transcript.session, ownerId: 'usr_other' } });
    expect(screen.queryByRole('button', { name: 'Edit as a branch' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ask again' })).toBeNull();
  });
});
