import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { QuestionView } from '#lib/supervisor/contract.ts';
import { QuestionCard } from './question-card.tsx';

const question: QuestionView = {
  id: 'qst_1',
  kind: 'unknown-outcome',
  text: 'It may have run. Check, then choose.',
  options: [
    { value: 'run-again', label: 'Run it again' },
    { value: 'skip', label: 'Go on without it' },
  ],
  state: 'OPEN',
  answer: null,
};

afterEach(cleanup);

function open(shown: QuestionView = question, canAnswer = true) {
  render(
    <WorkspaceFrame>
      <QuestionCard question={shown} runApiPath="/api/t/acme/runs/run_1" canAnswer={canAnswer} />
    </WorkspaceFrame>,
  );
}

describe('QuestionCard', () => {
  it('sends the chosen answer for this question', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}, 202));
    open();
    fireEvent.click(screen.getByLabelText('Go on without it'));
    fireEvent.click(screen.getByRole('button', { name: 'Answer' }));
    await waitFor(() =>
      expect(asked).toMatchObject([
        { method: 'POST', path: '/api/t/acme/runs/run_1/answer', body: { questionId: 'qst_1', answer: 'skip' } },
      ]),
    );
  });

  it('takes an answer in words, and not the Enter of an input method for one', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}, 202));
    open();
    fireEvent.click(screen.getByRole('radio', { name: 'Something else' }));
    const field = screen.getByRole('textbox');
    fireEvent.change(field, { target: { value: '先等等' } });
    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true });
    fireEvent.compositionEnd(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ questionId: 'qst_1', answer: '先等等' }]));
  });

  it('says in its place that somebody was faster', async () => {
    await startApiServer((_request, response) => answerJson(response, { code: 'already_decided', message: 'decided', traceId: 't1' }, 409));
    open();
    fireEvent.click(screen.getByLabelText('Run it again'));
    fireEvent.click(screen.getByRole('button', { name: 'Answer' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Somebody has decided this already.');
  });

  it('cannot be answered by a reader who may not write', () => {
    open(question, false);
    expect(screen.getByLabelText<HTMLInputElement>('Run it again').matches(':disabled')).toBe(true);
  });

  it('stays with its answer once it is given', () => {
    open({ ...question, state: 'ANSWERED', answer: 'skip' });
    expect(screen.getByText('Answered: Go on without it')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
