import { describe, expect, it } from 'vitest';
import type { MessageView } from '#lib/conversations/contract.ts';
import { buildTurns } from './turns.ts';

function message(id: string, role: 'user' | 'assistant', runId: string, overrides: Partial<MessageView> = {}): MessageView {
  return {
    id,
    parentId: null,
    role,
    runId,
    text: `${id} text`,
    state: 'complete',
    createdAt: '2026-01-01T00:00:00Z',
    usage: null,
    ...overrides,
  };
}
const unknown = () => null;

describe('buildTurns', () => {
  it('shows a finished turn once and a running one once under its run, wherever it is heard of', () => {
    const messages = [
      message('m1', 'user', 'run_1'),
      message('m2', 'assistant', 'run_1'),
      message('m3', 'user', 'run_2'),
      message('m4', 'assistant', 'run_2', { state: 'streaming', text: '' }),
    ];
    const turns = buildTurns(messages, ['run_2', 'run_2'], () => 'm3');
    expect(turns.map((turn) => turn.attempts.map(({ runId }) => runId))).toEqual([['run_1'], ['run_2']]);
    expect(turns[0]?.attempts[0]?.message?.text).toBe('m2 text');
  });
  it('gives a run under way a place before the transcript has its answer', () => {
    const turns = buildTurns([message('m1', 'user', 'run_1')], ['run_1'], unknown);
    expect(turns[0]?.attempts).toEqual([{ runId: 'run_1', message: null }]);
  });
  it('puts queued messages each under their own message', () => {
    const turns = buildTurns([message('m1', 'user', 'run_1'), message('m2', 'user', 'run_2')], ['run_1', 'run_2'], unknown);
    expect(turns.map(({ attempts }) => attempts[0]?.runId)).toEqual(['run_1', 'run_2']);
  });
  it('adds a retry to the message it answers, not to the newest', () => {
    const messages = [
      message('m1', 'user', 'run_1'),
      message('m2', 'assistant', 'run_1', { state: 'failed' }),
      message('m3', 'user', 'run_2'),
      message('m4', 'assistant', 'run_2'),
    ];
    const turns = buildTurns(messages, ['run_3'], (runId) => (runId === 'run_3' ? 'm1' : null));
    expect(turns[0]?.attempts.map(({ runId }) => runId)).toEqual(['run_1', 'run_3']);
    expect(turns[1]?.attempts.map(({ runId }) => runId)).toEqual(['run_2']);
  });
  it('leaves out a run whose message is not in the transcript yet', () => {
    expect(buildTurns([message('m1', 'user', 'run_1')], ['run_2'], () => 'm9')[0]?.attempts).toEqual([]);
  });
  it('does not show a second stored answer of the same run', () => {
    const turns = buildTurns(
      [message('m1', 'user', 'run_1'), message('m2', 'assistant', 'run_1'), message('m2b', 'assistant', 'run_1')],
      [],
      unknown,
    );
    expect(turns[0]?.attempts).toHaveLength(1);
  });
});
