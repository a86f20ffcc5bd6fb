import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { MessageView, UsageView } from '#lib/conversations/contract.ts';
import type { RunEventView, RunSummaryView, RunView } from '#lib/supervisor/contract.ts';
import { Answer } from './answer.tsx';
import { ProgressStore } from './progress-store.ts';
import { applyRunEvents, startProgress } from './run-progress.ts';

const at = '2026-01-01T00:00:00.000Z';
/** The engine of Markdown is a module of its own. */
const ENGINE_LOADS = { timeout: 10_000 };
/** A real server on a busy machine. */
const SERVER_ANSWERS = { timeout: 5_000 };
const USAGE: UsageView = {
  inputTokens: 900,
  cachedInputTokens: 200,
  cacheWriteTokens: 4,
  outputTokens: 80,
  reasoningTokens: 20,
  totalTokens: 1204,
  isEstimated: false,
  cost: { micros: 3100, currency: 'USD' },
  models: ['gpt-5-mini'],
};

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(cleanup);

/** Events of a run of a model, a second apart. */
function eventsOf(...entries: readonly [string, Record<string, unknown>][]): RunEventView[] {
  return entries.map(([type, payload], index) => ({
    runId: 'run_1',
    seq: index + 1,
    type,
    at: new Date(Date.parse(at) + index * 1000).toISOString(),
    payload,
  }));
}

const { totalTokens: _total, cost: _cost, models: _models, ...classes } = USAGE;
const MODEL_RUN = eventsOf(
  ['run-state', { from: 'QUEUED', to: 'RUNNING', reason: '' }],
  ['path-chosen', { path: 'llm', graph: 'platform_supervisor', code: 'model', text: 'openai: gpt-5-mini' }],
  ['reasoning-delta', { step: 0, text: 'They mean the library. ' }],
  ['reasoning-delta', { step: 0, text: 'Ask the librarian.' }],
  ['model-call', { path: 's/m0', agentId: 's', provider: 'openai', model: 'gpt-5-mini', usage: classes, cost: USAGE.cost }],
  ['handoff', { path: 's/m0/t0', from: 'platform_supervisor', to: 'librarian', task: 'Find the opening hours.' }],
  ['ToolInvocationRequested', { invocationId: 'inv_1', step: 0, capabilityId: 'knowledge.search', arguments: { query: 'hours' } }],
  ['invocation-state', { invocationId: 'inv_1', from: 'EXECUTING', to: 'SUCCEEDED', reason: 'ok', attempt: 1 }],
  ['ToolInvocationRequested', { invocationId: 'inv_2', step: 1, capabilityId: 'knowledge.search', arguments: { query: 'holidays' } }],
  ['handoff-answered', { path: 's/m0/t0', agent: 'librarian', text: 'Until **22:00**.' }],
  ['text-delta', { step: 1, attempt: 1, text: 'The library closes at 22:00.' }],
);
const ENDING = eventsOf(
  ...Array.from({ length: MODEL_RUN.length }, (): [string, Record<string, unknown>] => ['', {}]),
  ['ModelResponseProduced', { text: 'The library closes at 22:00.' }],
  ['run-state', { from: 'RUNNING', to: 'FINISH_OK', reason: '' }],
).slice(MODEL_RUN.length);

function stored(usage: UsageView | null): MessageView {
  return {
    id: 'msg_2',
    parentId: 'msg_1',
    role: 'assistant',
    runId: 'run_1',
    text: 'Stored answer',
    state: 'complete',
    createdAt: at,
    isPinned: false,
    usage,
  };
}

function open(events: readonly RunEventView[], message: MessageView | null = null, summary?: RunSummaryView) {
  return show(new ProgressStore(events.length === 0 ? [] : [applyRunEvents(startProgress('run_1'), events)]), message, summary);
}

function show(store: ProgressStore, message: MessageView | null = null, summary?: RunSummaryView) {
  return render(
    <WorkspaceFrame>
      <Answer
        tenantSlug="acme"
        runId="run_1"
        message={message}
        summary={summary}
        store={store}
        queuePlace={0}
        canWrite
        onRetry={() => undefined}
        isRetrying={false}
      />
    </WorkspaceFrame>,
  );
}

describe('the answer of a model', { timeout: 30_000 }, () => {
  it('folds what the model thought, and has it neither in the answer nor in what is copied', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    const { container } = open([...MODEL_RUN, ...ENDING]);
    const fold = screen.getByRole('button', { name: 'Thought for 1.0 s' });
    expect(fold.getAttribute('aria-expanded')).toBe('false');
    expect(container.textContent).not.toContain('They mean the library.');
    fireEvent.click(screen.getByRole('button', { name: 'Copy answer' }));
    expect(writeText).toHaveBeenCalledExactlyOnceWith('The library closes at 22:00.');
    fireEvent.click(fold);
    expect(screen.getByText('They mean the library. Ask the librarian.')).toBeTruthy();
    await screen.findByText('The library closes at 22:00.', {}, ENGINE_LOADS);
  });

  it('is the stored one when that is there, whatever was missed of the run', () => {
    open(MODEL_RUN, stored(null));
    expect(screen.getByRole('button', { name: 'Copy answer' })).toBeTruthy();
    expect(screen.queryByText('Answering')).toBeNull();
  });

  it('says that the model thinks while nothing else has been heard of it', () => {
    open(MODEL_RUN.slice(0, 4));
    expect(screen.getByRole('button', { name: 'Thinking…' }).getAttribute('aria-expanded')).toBe('false');
  });

  it('tells no time of thoughts that came in one piece', () => {
    open([...MODEL_RUN.slice(0, 3), ...ENDING]);
    expect(screen.getByRole('button', { name: 'Thought briefly' })).toBeTruthy();
  });

  it('shows who gave what to whom while it is at work', () => {
    open(MODEL_RUN.slice(0, 6));
    const list = screen.getByRole('list', { name: 'Tasks given to other agents' });
    expect(list.textContent).toContain('Find the opening hours.');
    expect(list.textContent).toContain('At work');
    expect(screen.getByText('Handed to librarian')).toBeTruthy();
  });

  it('keeps what the other agent answered behind its line', async () => {
    open([...MODEL_RUN, ...ENDING]);
    const line = within(screen.getByRole('list', { name: 'Tasks given to other agents' })).getByRole('button');
    expect(line.textContent).toContain('Answered');
    expect(screen.queryByText('22:00')).toBeNull();
    fireEvent.click(line);
    expect((await screen.findByText('22:00', {}, ENGINE_LOADS)).tagName).toBe('STRONG');
  });

  it('gives every call of a capability a card of its own', () => {
    open(MODEL_RUN);
    expect(screen.getByText('query: hours')).toBeTruthy();
    expect(screen.getByText('query: holidays')).toBeTruthy();
  });

  it('names the model, its tokens and what they cost, in classes that sum to the total', async () => {
    open([...MODEL_RUN, ...ENDING]);
    expect(screen.getByText('Answered by gpt-5-mini')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '1,204 tokens · $0.0031' }));
    const numbers = (await screen.findAllByRole('cell')).map(({ textContent }) => textContent);
    expect(numbers).toEqual(['900', '200', '4', '80', '20', '1,204', '$0.0031']);
    const summed = numbers.slice(0, 5).reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
    expect(summed).toBe(USAGE.totalTokens);
  });

  it('says that no price is set, and never that it cost nothing, and marks what was estimated', () => {
    open([], stored({ ...USAGE, cost: null, isEstimated: true }));
    expect(screen.getByRole('button', { name: 'about 1,204 tokens · no price set' })).toBeTruthy();
    cleanup();
    open([], stored({ ...USAGE, cost: { micros: 0, currency: 'CNY' } }));
    expect(screen.getByRole('button', { name: '1,204 tokens · CN¥0.00' })).toBeTruthy();
    cleanup();
    open([], stored({ ...USAGE, cost: { micros: 2, currency: 'USD' } }));
    expect(screen.getByRole('button', { name: '1,204 tokens · $0.000002' })).toBeTruthy();
  });

  it('has no tokens to tell of an answer that no model took part in', () => {
    open([], stored(null));
    expect(screen.queryByRole('button', { name: /token/ })).toBeNull();
  });

  it('brings the model’s part of a stored answer when its run is opened', async () => {
    const run: RunView = {
      id: 'run_1',
      sessionId: 'ses_1',
      state: 'FINISH_OK',
      preset: 'default',
      actor: { userId: 'usr_1', name: 'Li' },
      promptHead: '',
      path: 'llm',
      stepCount: 0,
      callsSucceeded: 0,
      callsFailed: 0,
      createdAt: at,
      startedAt: at,
      endedAt: at,
      durationMs: 10,
      waitedMs: 0,
      totalTokens: 0,
      cost: null,
      message: '',
      messageId: 'msg_1',
      parentId: null,
      pathReason: { code: 'model', text: '' },
      graph: null,
      ontologyRevision: null,
      plan: null,
      answer: 'Stored answer',
      usage: USAGE,
      error: null,
      queuePlace: 0,
      parentRunId: null,
      tasks: [],
      question: null,
      approvals: [],
      invocations: [],
      epoch: 1,
      lastSeq: MODEL_RUN.length,
    };
    const { asked } = await startApiServer((request, response) => {
      const after = Number(new URL(request.path, 'http://test').searchParams.get('after') ?? 0);
      // The log comes in pages.
      const items = MODEL_RUN.filter(({ seq }) => seq > after).slice(0, 4);
      answerJson(response, request.path.includes('/events') ? { items, lastSeq: MODEL_RUN.length } : run);
    });
    open([], stored(USAGE));
    expect(screen.queryByRole('button', { name: /Thought/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /Answered by gpt-5-mini/ }));
    await screen.findByRole('button', { name: 'Thought for 1.0 s' }, SERVER_ANSWERS);
    expect(screen.getByRole('list', { name: 'Tasks given to other agents' }).textContent).toContain('librarian');
    await waitFor(() => expect(asked.filter(({ path }) => path.includes('/events'))).toHaveLength(3), SERVER_ANSWERS);
  });
});

describe('an answer that waits for its beginning', () => {
  it('tells its place in the line, and moves on with the run', async () => {
    let place: number | null = 3;
    const { asked } = await startApiServer((_request, response) => answerJson(response, { place }));
    const store = new ProgressStore([startProgress('run_1')]);
    const told: ((event: RunEventView) => void)[] = [];
    store.follow(
      {
        follow: (_runId, _after, { onEvent }) => {
          told.push(onEvent);
          return () => undefined;
        },
      },
      'run_1',
    );
    show(store);
    expect(screen.getByText('Starting')).toBeTruthy();
    await screen.findByText('Waits for a free place: 2 chats before it', {}, SERVER_ANSWERS);
    place = 1;
    await screen.findByText('Waits for a free place: next', {}, SERVER_ANSWERS);
    expect(asked[0]?.path).toBe('/api/t/acme/runs/run_1/place');
    for (const event of eventsOf(['run-state', { from: 'QUEUED', to: 'RUNNING', reason: 'started' }])) told[0]?.(event);
    await waitFor(() => expect(screen.queryByText(/Waits for a free place/)).toBeNull());
  }, 15_000);
});

describe('the answer of the planner', () => {
  it.each([
    ['no-model', 'Deterministic planner: no model is set up'],
    ['model-disabled', 'Deterministic planner: this workspace uses no model'],
    ['model-failed', 'Deterministic planner: the model failed before it said anything'],
    ['something-newer', 'Deterministic planner'],
  ])('says why, in the language of the interface: %s', (code, line) => {
    open(
      eventsOf(
        ['path-chosen', { path: 'deterministic', graph: 'g', code, text: '本工作区没有可用的模型。' }],
        ['run-state', { from: 'RUNNING', to: 'FINISH_OK', reason: '' }],
      ),
    );
    expect(screen.getByText(line)).toBeTruthy();
  });
});

const calling = (...more: readonly [string, Record<string, unknown>][]) =>
  eventsOf(
    ['run-state', { from: 'QUEUED', to: 'RUNNING', reason: '' }],
    ['ToolInvocationRequested', { invocationId: 'inv_1', step: 0, capabilityId: 'weather.look', arguments: {} }],
    ['invocation-state', { invocationId: 'inv_1', from: 'ARGUMENTS_VALIDATED', to: 'EXECUTING', reason: 'start', attempt: 1 }],
    ...more,
  );

describe('a call that tells of its progress', { timeout: 30_000 }, () => {
  it('shows its newest word while it runs, as text', async () => {
    open(
      calling(
        ['tool-progress', { invocationId: 'inv_1', progress: 1, total: 4, message: 'first' }],
        ['tool-progress', { invocationId: 'inv_1', progress: 3, total: 4, message: '<b>third</b> of four' }],
      ),
    );
    const bar = await screen.findByRole('progressbar', { name: 'Progress of the call' }, ENGINE_LOADS);
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['3', '4']);
    expect(screen.getByText('3 of 4')).toBeDefined();
    expect(screen.getByText('<b>third</b> of four')).toBeDefined();
    expect(screen.queryByText('first')).toBeNull();
  });

  it('shows no bar where it does not say of how much', async () => {
    open(calling(['tool-progress', { invocationId: 'inv_1', progress: 120, total: null, message: null }]));
    await screen.findByText('120 so far', {}, ENGINE_LOADS);
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('shows it no more once the attempt has ended', () => {
    const told = calling(['tool-progress', { invocationId: 'inv_1', progress: 1, total: 4, message: null }]);
    const ended = applyRunEvents(startProgress('run_1'), [
      ...told,
      ...calling(
        ['', {}],
        ['invocation-state', { invocationId: 'inv_1', from: 'EXECUTING', to: 'RETRY_WAIT', reason: 'busy', attempt: 1 }],
      ).slice(told.length),
    ]);
    expect(applyRunEvents(startProgress('run_1'), told).callProgress).toHaveLength(1);
    expect(ended.callProgress).toEqual([]);
  });
});
