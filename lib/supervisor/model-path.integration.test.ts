import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import type { PricedModel } from '#lib/models/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type ModelServer, refused, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
let provider: ModelServer;

beforeAll(async () => {
  lab = await createRunLab();
});
afterAll(() => lab.close());
beforeEach(async () => {
  provider = await startModelServer();
  useModel();
});
afterEach(async () => {
  provider.verify();
  await provider.close();
});

function useModel(fallsBack = false, fallbacks: readonly PricedModel[] = []): void {
  lab.useModel({
    status: 'available',
    model: createLanguageModel({
      spec: { provider: 'compatible', model: 'scripted' },
      baseUrl: provider.url,
      apiKey: 'sk-scripted-0123456789',
      fetch: globalThis.fetch,
    }),
    price: { currency: 'USD', inputMicros: 1_000_000, cachedInputMicros: 100_000, cacheWriteMicros: 1_000_000, outputMicros: 4_000_000 },
    fallsBack,
    fallbacks,
  });
}

async function ask(text: string, given?: { actor: Actor; sessionId: Id<'session'> }) {
  const { actor, sessionId } = given ?? (await lab.aSession());
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text });
  const events = await lab.readAll(actor, runId);
  return { actor, sessionId, runId, events, run: await lab.runs.getRun(actor, runId) };
}

const call = (id: string, name: string, args: object | string) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

describe('the model path', () => {
  verifies(['P-03', 'P-13', 'P-17'], 'answers with capabilities through the invoker, streamed, on record', async () => {
    provider.script(
      streamed({
        reasoning: 'I should look.',
        calls: [call('c1', 'test_effect-keyed', { label: 'one' }), call('c2', 'test_effect-read', { label: 'two' })],
      }),
      streamed({ text: 'Both are done. 都做完了。', chunkSize: 4 }),
    );
    const { runId, events, run } = await ask('do one and two');
    expect(run).toMatchObject({
      state: 'FINISH_OK',
      path: 'llm',
      graph: 'platform_supervisor',
      answer: 'Both are done. 都做完了。',
      pathReason: { code: 'model', text: 'compatible: scripted' },
    });
    const text = events.filter((event) => event.type === 'text-delta').map((event) => event.payload.text);
    expect(text.join('')).toBe(run.answer);
    expect(events.find((event) => event.type === 'reasoning-delta')?.payload).toMatchObject({ text: 'I should look.' });
    expect(run.invocations.map((invocation) => [invocation.capabilityId, invocation.state])).toEqual([
      ['test.effect-keyed', 'SUCCEEDED'],
      ['test.effect-read', 'SUCCEEDED'],
    ]);
    expect(events.filter((event) => event.type === 'model-call').map((event) => event.payload)).toMatchObject([
      { agentId: 'platform_supervisor', toolCalls: 2, usage: { inputTokens: 10, outputTokens: 5 }, cost: { micros: 30, currency: 'USD' } },
      { agentId: 'platform_supervisor', toolCalls: 0 },
    ]);
    const audit = await lab.owner`select type from audit_event where run_id = ${toUuid(runId)} order by id`;
    expect(audit.map((row) => row.type).filter((type) => type !== 'capability.succeeded' && type !== 'capability.invoked')).toEqual([
      'run.submitted',
      'model.called',
      'model.called',
      'run.finished',
    ]);
    expect(audit.filter((row) => row.type === 'capability.succeeded')).toHaveLength(2);
    const second = provider.requests[1]?.body.messages ?? [];
    expect(second.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(JSON.stringify(second)).toContain('done: one');
  });

  verifies(['P-23', 'P-24', 'P-27'], 'sends the context by contributor, with the conversation so far', async () => {
    provider.script(streamed({ text: 'First answer.' }), streamed({ text: 'Second answer.' }));
    const { actor, sessionId } = await ask('first question');
    const { events } = await ask('second question', { actor, sessionId });
    const [system, ...said] = provider.requests[1]?.body.messages ?? [];
    expect(String(system?.content)).toMatch(/ROLE:main[\s\S]*## ontology\.summary\nnothing[\s\S]*## ontology\.revision\nr1$/);
    expect(said).toEqual([
      { role: 'user', content: 'first question' },
      { role: 'assistant', content: 'First answer.' },
      { role: 'user', content: 'second question' },
    ]);
    const fragments = events.find((event) => event.type === 'context-assembled')?.payload.fragments;
    expect(fragments).toMatchObject([
      { contributor: 'platform_supervisor', namespace: 'agent', key: 'instructions' },
      { contributor: 'ontology', order: 0 },
      { contributor: 'ontology', order: 0 },
      {
        contributor: 'history',
        order: 1,
        value: '1 of 1 earlier turn(s), oldest first.\n\nUser: first question\nAssistant: First answer.',
        isOverridden: false,
      },
      { contributor: 'user', namespace: 'request', value: 'second question' },
    ]);
    expect(events.find((event) => event.type === 'model-call')?.payload.prompt).toMatchObject([
      { contributor: 'platform_supervisor' },
      { contributor: 'ontology', characters: 'nothingr1'.length },
      { contributor: 'history' },
      { contributor: 'user', characters: 'second question'.length },
    ]);
  });

  verifies(['P-03', 'P-17'], 'hands a task to a specialist, which acts through capabilities alone', async () => {
    provider.script(
      streamed({ calls: [call('c1', 'delegate', { agent: 'nobody', task: 'x' })] }),
      streamed({ calls: [call('c2', 'delegate', { agent: 'echo', task: 'Say hello back' })] }),
      streamed({ text: 'hello' }),
      streamed({ text: 'The echo said: hello' }),
    );
    const { events, run } = await ask('let the echo say hello');
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'The echo said: hello' });
    expect(JSON.stringify(provider.requests[1]?.body.messages)).toContain(String.raw`There is no specialist \"nobody\". There are: echo`);
    expect(String(provider.requests[2]?.body.messages?.[0]?.content)).toContain('ROLE:echo');
    // Each call's prompt is on record by contributor, a specialist's too.
    const told = events.filter((event) => event.type === 'context-assembled').map(({ payload }) => payload);
    expect(told.map(({ path, agentId }) => [path, agentId])).toEqual([
      ['platform_supervisor', 'platform_supervisor'],
      ['platform_supervisor/m1/t0/echo', 'echo'],
    ]);
    expect(told[1]?.fragments).toMatchObject([
      { contributor: 'echo', key: 'instructions', value: expect.stringContaining('ROLE:echo') },
      { contributor: 'platform_supervisor', key: 'message', value: 'Say hello back' },
    ]);
    const sizes = events.filter((event) => event.type === 'model-call').map(({ payload }) => JSON.stringify(payload.prompt));
    expect(sizes.map((size) => size.includes('conversation'))).toEqual([false, true, false, true]);
    expect(events.filter((event) => event.type === 'handoff').map((event) => event.payload)).toMatchObject([
      { from: 'platform_supervisor', to: 'echo', task: 'Say hello back' },
    ]);
    expect(events.filter((event) => event.type === 'model-call').map((event) => event.payload.agentId)).toEqual([
      'platform_supervisor',
      'platform_supervisor',
      'echo',
      'platform_supervisor',
    ]);
  });

  verifies('K6', 'tells the model of tools that do not exist and of arguments it cannot read, and goes on', async () => {
    provider.script(
      streamed({ calls: [call('c1', 'read_flie', { label: 'x' })] }),
      streamed({ calls: [call('c2', 'test_effect-read', '{"label": "repaired",')] }),
      streamed({ calls: [call('c3', 'test_effect-read', { wrong: 1 })] }),
      streamed({ text: 'Found it.' }),
    );
    const { run, runId } = await ask('read the file');
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Found it.' });
    expect(JSON.stringify(provider.requests[1]?.body.messages)).toContain('There is no tool read_flie. There are: test_effect-keyed');
    expect(run.invocations.map((invocation) => [invocation.capabilityId, invocation.state, invocation.error?.code ?? null])).toEqual([
      ['read_flie', 'FAILED', 'unknown_capability'],
      ['test.effect-read', 'SUCCEEDED', null],
      ['test.effect-read', 'FAILED', 'invalid_arguments'],
    ]);
    const audit = await lab.owner`select type from audit_event where run_id = ${toUuid(runId)} and type = 'capability.unknown'`;
    expect(audit).toHaveLength(1);
  });

  verifies('P-08', 'ends with the limit’s name when a model calls without end', async () => {
    provider.script(
      ...Array.from({ length: 12 }, (_, index) => streamed({ calls: [call(`c${index}`, 'test_effect-read', { label: `${index}` })] })),
    );
    const { run } = await ask('loop');
    expect(run).toMatchObject({
      state: 'FINISH_ERROR',
      error: { code: 'limit_reached', message: 'limit reached: platform_supervisor may make 12 model calls in a run' },
    });
  });

  verifies('K22', 'waits as the provider asks before it has said anything, and never repeats what was said', async () => {
    provider.script(refused(429, 'slow down', { 'retry-after-ms': '300' }), refused(503, 'busy'), streamed({ text: 'Here.' }));
    const { run, events } = await ask('hello');
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Here.' });
    const [first, second] = provider.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(290);
    expect(events.find((event) => event.type === 'model-call')?.payload).toMatchObject({ attempts: 3 });

    provider.script(refused(429, 'come back tomorrow', { 'retry-after': '86400' }));
    expect((await ask('again')).run).toMatchObject({
      state: 'FINISH_ERROR',
      error: { code: 'model_failed', message: expect.stringContaining('come back tomorrow') },
    });

    provider.script(streamed({ text: 'one two three four', chunkSize: 4, delayMs: 5, cutAfter: 3 }));
    const cut = await ask('cut');
    expect(cut.run).toMatchObject({ state: 'FINISH_ERROR', error: { code: 'model_failed' } });
    expect(cut.run.answer).toMatch(/^one two /);
  });

  verifies(['P-03', 'P-04'], 'falls back to the planner where the tenant wishes so, and says that it did', async () => {
    useModel(true);
    provider.script(refused(401, 'bad key'));
    const { run, events } = await ask('test.effect-read fallback');
    expect(run).toMatchObject({
      state: 'FINISH_OK',
      path: 'deterministic',
      answer: 'done: fallback',
      pathReason: { code: 'model-failed', text: expect.stringContaining('bad key') },
    });
    expect(events.filter((event) => event.type === 'path-chosen').map((event) => event.payload.path)).toEqual(['llm', 'deterministic']);
    lab.useModel({ status: 'unavailable', code: 'model-disabled' });
    expect((await ask('test.effect-read off')).run.pathReason).toMatchObject({ code: 'model-disabled' });
  });

  verifies('P-03', 'does not fall back once something was said or done', async () => {
    useModel(true);
    provider.script(streamed({ text: 'one two three four', chunkSize: 4, delayMs: 5, cutAfter: 3 }));
    const said = await ask('test.effect-read said');
    expect(said.run).toMatchObject({ state: 'FINISH_ERROR', path: 'llm', error: { code: 'model_failed' } });
    provider.script(streamed({ calls: [call('c1', 'test_effect-read', { label: 'done' })] }), refused(401, 'bad key'));
    const done = await ask('test.effect-read done-twice');
    expect(done.run).toMatchObject({ state: 'FINISH_ERROR', path: 'llm', error: { code: 'model_failed' } });
    expect(lab.effects.of('done')).toHaveLength(1);
    expect([...lab.effects.of('said'), ...lab.effects.of('done-twice')]).toEqual([]);
  });

  verifies(
    ['P-12', 'K4'],
    'stops in the middle of a model call, keeps what was said, and ends an answer that never comes',
    async () => {
      const { actor, sessionId } = await lab.aSession();
      provider.script(streamed({ text: 'a long answer that goes on and on', chunkSize: 2, delayMs: 60 }));
      const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'talk' });
      await eventually(async () =>
        (await lab.runs.readRunEvents(actor.scope, runId, 0, 100)).items.some((event) => event.type === 'text-delta'),
      );
      await lab.runs.cancelRun(actor, runId);
      await lab.readAll(actor, runId);
      const stopped = await lab.runs.getRun(actor, runId);
      expect(stopped.state).toBe('CANCELLED');
      expect(stopped.answer).toMatch(/^a .*_Stopped before a tool ran\._$/s);

      provider.script(() => new Promise(() => undefined));
      expect((await ask('hang')).run.state).toBe('TIMEOUT');
    },
    20_000,
  );

  verifies(
    'P-11',
    'carries on after a crash without asking the model again or repeating a call',
    async () => {
      const { actor, sessionId } = await lab.aSession();
      provider.script(
        streamed({ calls: [call('c1', 'test_effect-keyed', { label: 'crash-one' })] }),
        streamed({ calls: [call('c2', 'test_effect-keyed', { label: 'crash-held' })] }),
        streamed({ text: 'All done.' }),
      );
      lab.effects.hold('crash-held');
      const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'two effects' });
      await eventually(() => lab.effects.of('crash-held').length > 0);
      await lab.cutOff(runId);
      lab.effects.release('crash-held');
      await lab.readAll(actor, runId);
      const run = await lab.runs.getRun(actor, runId);
      expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'All done.' });
      expect(lab.effects.of('crash-one')).toHaveLength(1);
      expect(new Set(lab.effects.of('crash-held').map((effect) => effect.key)).size).toBe(1);
      expect(provider.requests).toHaveLength(3);
    },
    20_000,
  );

  verifies('P-12', 'says why when the answer is empty or refused', async () => {
    provider.script(
      streamed({ text: '' }),
      streamed({ text: '', finishReason: 'content_filter' }),
      streamed({ text: 'so far', finishReason: 'length', usage: null }),
    );
    expect((await ask('empty')).run).toMatchObject({ state: 'FINISH_ERROR', error: { message: 'empty graph state' } });
    expect((await ask('refused')).run).toMatchObject({ state: 'FINISH_ERROR', error: { message: 'The model refused to answer.' } });
    const cut = await ask('long');
    expect(cut.run).toMatchObject({ state: 'FINISH_OK', answer: 'so far' });
    expect(cut.events.find((event) => event.type === 'model-call')?.payload).toMatchObject({
      finishReason: 'length',
      usage: { isEstimated: true },
    });
  });

  verifies('P-03', 'asks the next provider when the first is away, counts its own price, and says so', async () => {
    const second = await startModelServer();
    try {
      second.script(streamed({ text: 'The second answers.' }));
      const spec = { provider: 'compatible', model: 'second' } as const;
      const model = createLanguageModel({ spec, baseUrl: second.url, apiKey: null, fetch: globalThis.fetch });
      const price = { currency: 'CNY', inputMicros: 2_000_000, cachedInputMicros: 0, cacheWriteMicros: 0, outputMicros: 0 };
      provider.script(refused(503, 'busy'), refused(503, 'busy'));
      useModel(true, [{ model, price }]);
      const { run, events } = await ask('hello');
      expect(run).toMatchObject({ state: 'FINISH_OK', path: 'llm', answer: 'The second answers.' });
      expect(events.filter(({ type }) => type === 'model-call').map(({ payload }) => payload)).toMatchObject([
        { model: 'second', fallback: 1, cost: { micros: 20, currency: 'CNY' } },
      ]);
      second.verify();
    } finally {
      await second.close();
    }
  });
});
