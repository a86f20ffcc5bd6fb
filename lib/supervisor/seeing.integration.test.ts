import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { metrics } from '#lib/telemetry/index.ts';
import { captureLog } from '#lib/testing/captured-log.ts';
import { type ModelServer, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import { startTraceCollector, type TraceCollector } from '#lib/testing/trace-collector.ts';

let lab: RunLab;
let collector: TraceCollector;
let provider: ModelServer;
beforeAll(async () => {
  collector = await startTraceCollector();
  lab = await createRunLab({
    timeLimitMs: 20_000,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' },
  });
});
afterAll(async () => {
  await lab?.close();
  await collector?.close();
});
beforeEach(async () => {
  provider = await startModelServer();
});
afterEach(async () => {
  lab.useModel({ status: 'unavailable', code: 'no-model' });
  provider.verify();
  await provider.close();
});

function useModel(): void {
  lab.useModel({
    status: 'available',
    model: createLanguageModel({
      spec: { provider: 'compatible', model: 'seen-model' },
      baseUrl: provider.url,
      apiKey: 'sk-scripted-0123456789',
      fetch: globalThis.fetch,
      onEnded: (ended) => metrics.agent.recordModelCall(ended),
    }),
    price: null,
    fallsBack: false,
  });
}

async function ask(text: string, of?: Awaited<ReturnType<RunLab['aSession']>>) {
  const { actor, sessionId } = of ?? (await lab.aSession());
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text });
  return { actor, sessionId, runId };
}

async function traceOf(runId: Id<'run'>) {
  const traceId = toUuid(runId).replaceAll('-', '');
  const spans = await eventually(() => {
    const found = collector.spans.filter((span) => span.traceId === traceId);
    return found.length > 0 && found;
  });
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return { spans, tree: spans.map(({ name, parentSpanId }) => [name, parentSpanId ? nameOf.get(parentSpanId) : null]) };
}

const valueOf = async (line: string) => {
  const found = (await metrics.read()).split('\n').find((candidate) => candidate.startsWith(`${line} `));
  return found ? Number(found.split(' ').at(-1)) : 0;
};

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });

describe('a run, seen from outside', () => {
  verifies(
    ['H-30', 'H-33'],
    'is one trace with spans for the agents, the models, the tools and the waits, also of a run that changed its process',
    async () => {
      useModel();
      provider.script(
        streamed({
          calls: [call('c1', 'test_effect-read', { label: 'first' }), call('c2', 'delegate', { agent: 'documents', task: 'look' })],
        }),
        streamed({ text: 'Looked.' }),
        streamed({ calls: [call('c3', 'test_effect-destructive', { label: 'second' })] }),
        streamed({ text: 'All done.' }),
      );
      const chat = await lab.aSession();
      const { actor, runId } = await ask('do what is to be done', chat);
      const waiting = await eventually(async () => {
        const run = await lab.runs.getRun(actor, runId);
        return run.state === 'WAITING' && run.approvals[0];
      });
      // Its next segment is driven under a higher epoch, as another process would.
      await lab.runs.decideApproval(actor, waiting.id as Id<'approval'>, { decision: 'allow', extent: 'once', sameArguments: [] });
      await lab.readAll(actor, runId);
      const { spans, tree } = await traceOf(runId);
      const root = 'invoke_agent platform_supervisor';
      expect(tree).toEqual(
        expect.arrayContaining([
          [root, null],
          ['wait approval', root],
          ['chat seen-model', root],
          ['invoke_agent documents', root],
          ['chat seen-model', 'invoke_agent documents'],
          ['execute_tool test.effect-read', root],
          ['execute_tool test.effect-destructive', root],
        ]),
      );
      expect(tree.filter(([name]) => name === root)).toHaveLength(1);
      expect(tree.filter(([name]) => name === 'chat seen-model').length).toBeGreaterThanOrEqual(3);
      expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
      const whole = spans.find(({ parentSpanId }) => parentSpanId === undefined);
      for (const span of spans) {
        expect(span.startTimeUnixNano).toBeGreaterThanOrEqual((whole?.startTimeUnixNano ?? 0) - 1);
        expect(span.endTimeUnixNano).toBeLessThanOrEqual((whole?.endTimeUnixNano ?? 0) + 1);
      }
      expect(whole?.attributes).toMatchObject({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': chat.sessionId,
        'bailiwick.tenant.id': actor.scope.tenantId,
        'bailiwick.run.state': 'FINISH_OK',
        'bailiwick.processes': 2,
      });
      expect(spans.find(({ name }) => name === 'chat seen-model')).toMatchObject({
        kind: 3,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'compatible',
          'gen_ai.request.model': 'seen-model',
          'gen_ai.response.finish_reasons': ['tool-calls'],
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 5,
        },
      });
      const tool = spans.find(({ name }) => name === 'execute_tool test.effect-destructive');
      expect(tool).toMatchObject({
        kind: 1,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'test.effect-destructive' },
      });
      expect(tool?.events.map(({ name }) => name)).toEqual(['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'SUCCEEDED']);
      // Names, times and counts; nothing that was said.
      const sent = JSON.stringify(spans);
      for (const said of ['do what is to be done', 'All done.', 'Looked.', '"second"']) expect(sent).not.toContain(said);
      expect(collector.requests.at(-1)).toMatchObject({ path: '/v1/traces', status: 200, headers: { 'x-key': 'a b' } });
    },
  );

  verifies('H-30', 'has a span for its plan, and says in its trace how it failed', async () => {
    const { actor, runId } = await ask('test.effect-read fine | test.handlerless');
    await lab.readAll(actor, runId);
    const { spans, tree } = await traceOf(runId);
    expect(tree.map(([name]) => name)).toEqual(expect.arrayContaining([expect.stringMatching(/^plan /), 'execute_tool test.effect-read']));
    const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root).toMatchObject({ status: { code: 2 }, attributes: { 'bailiwick.run.state': 'FINISH_ERROR' } });
    expect(spans.find(({ name }) => name === 'execute_tool test.handlerless')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': expect.any(String) },
    });
  });

  it('ends as fast, and is traced later, while the collector fails', async () => {
    collector.answer(503, 503);
    const { actor, runId } = await ask('test.effect-read one');
    await lab.readAll(actor, runId);
    expect((await lab.runs.getRun(actor, runId)).state).toBe('FINISH_OK');
    expect((await traceOf(runId)).tree.length).toBeGreaterThan(1);
  });

  verifies('H-33', 'has its session, its span, its tool or its model in each of its log lines', async () => {
    useModel();
    provider.script(streamed({ calls: [call('c1', 'test_effect-read', { label: 'logged' })] }), streamed({ text: 'Done.' }));
    const captured = captureLog();
    const { actor, sessionId, runId } = await ask('log it');
    await lab.readAll(actor, runId);
    await eventually(() => captured.lines.some(({ msg }) => msg === 'run ended'));
    captured.stop();
    const lines = captured.lines.filter((line) => line.runId === runId);
    const traceId = toUuid(runId).replaceAll('-', '');
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['session_state_changed', 'tool call ended', 'model call ended', 'run ended']),
    );
    for (const line of lines) expect(line).toMatchObject({ sessionId, traceId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const { spans } = await traceOf(runId);
    const spanIdOf = (name: string) => spans.find((span) => span.name === name)?.spanId;
    expect(lines.find(({ msg }) => msg === 'tool call ended')).toMatchObject({
      toolName: 'test.effect-read',
      spanId: spanIdOf('execute_tool test.effect-read'),
    });
    expect(lines.find(({ msg }) => msg === 'model call ended')).toMatchObject({
      modelName: 'seen-model',
      spanId: spanIdOf('chat seen-model'),
    });
    expect(lines.filter(({ event }) => event === 'session_state_changed')).toMatchObject([
      { fromState: 'IDLE', toState: 'PLANNING' },
      { fromState: 'PLANNING', toState: 'EXECUTING' },
      { fromState: 'EXECUTING', toState: 'IDLE', reason: 'answered', tokenUsage: { input: 20, output: 10 } },
    ]);
  });

  const CHAIN = [
    'UserPromptSubmitted',
    'AgentPlanProposed',
    'model-call',
    'ToolInvocationRequested',
    'ToolExecuted',
    'ToolResultAccepted',
    'ModelResponseProduced',
    'AgentTurnCompleted',
  ];
  const called = ['ToolInvocationRequested', 'ToolExecuted', 'ToolResultAccepted'];

  verifies('H-04', 'tells the steps of its loop as a chain of events, planned or with a model', async () => {
    const chainOf = async ({ actor, runId }: Awaited<ReturnType<typeof ask>>) =>
      (await lab.readAll(actor, runId)).map(({ type }) => type).filter((type) => CHAIN.includes(type));
    const planned = await ask('test.effect-keyed one | test.effect-keyed two');
    expect(await chainOf(planned)).toEqual([
      'UserPromptSubmitted',
      'AgentPlanProposed',
      ...called,
      ...called,
      'ModelResponseProduced',
      'AgentTurnCompleted',
    ]);
    useModel();
    provider.script(
      streamed({ calls: [call('c1', 'test_effect-keyed', { label: 'three' })] }),
      streamed({ calls: [call('c2', 'test_effect-keyed', { label: 'four' })] }),
      streamed({ text: 'Both.' }),
    );
    const asked = await ask('three, then four');
    expect(await chainOf(asked)).toEqual([
      'UserPromptSubmitted',
      'model-call',
      ...called,
      'model-call',
      ...called,
      'model-call',
      'ModelResponseProduced',
      'AgentTurnCompleted',
    ]);
  });

  it('is counted at the one invoker and the one door to models, made-up names apart', async () => {
    useModel();
    const before = {
      read: await valueOf('agent_tool_success{tool="test.effect-read"}'),
      tokens: await valueOf('agent_model_tokens{provider="compatible",model="seen-model",class="output"}'),
    };
    provider.script(
      streamed({ calls: [call('c1', 'test_effect-read', { label: 'counted' }), call('c2', 'rm_-rf_made_up', {})] }),
      streamed({ text: 'Done.' }),
    );
    const { actor, runId } = await ask('count it');
    await lab.readAll(actor, runId);
    expect(await valueOf('agent_tool_success{tool="test.effect-read"}')).toBe(before.read + 1);
    expect(await valueOf('agent_tool_failure{tool="unknown",error="unknown_capability"}')).toBeGreaterThanOrEqual(1);
    expect(await valueOf('agent_model_tokens{provider="compatible",model="seen-model",class="output"}')).toBe(before.tokens + 10);
    expect(await valueOf('agent_tool_execution_count{tool="test.effect-read"}')).toBeGreaterThanOrEqual(1);
    expect(await metrics.read()).not.toContain('made_up');
  });

  it('shows in the depth of the queue and the sessions at work', async () => {
    const chat = await lab.aSession();
    const first = await ask('test.stream 60 20', chat);
    const second = await ask('test.effect-read behind', chat);
    await eventually(async () => (await valueOf('agent_active_sessions')) === 1 && (await valueOf('agent_queue_depth')) === 1);
    await Promise.all([lab.readAll(chat.actor, first.runId), lab.readAll(chat.actor, second.runId)]);
    expect([await valueOf('agent_active_sessions'), await valueOf('agent_queue_depth')]).toEqual([0, 0]);
  });
});
