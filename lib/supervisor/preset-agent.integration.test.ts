import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { type ModelServer, refused, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';
import { STAGED_PLUGIN } from '#lib/testing/staged-plugin.ts';

let lab: RunLab;
let provider: ModelServer;

beforeAll(async () => {
  lab = await createRunLab({ manifests: [STAGED_PLUGIN] });
});
afterAll(() => lab.close());
beforeEach(async () => {
  provider = await startModelServer();
  lab.useModel({
    status: 'available',
    model: createLanguageModel({
      spec: { provider: 'compatible', model: 'scripted' },
      baseUrl: provider.url,
      apiKey: 'sk-scripted-0123456789',
      fetch: globalThis.fetch,
    }),
    price: null,
    fallsBack: true,
  });
});
afterEach(async () => {
  provider.verify();
  await provider.close();
});

async function ask(preset: string, text: string) {
  const { actor, sessionId } = await lab.aSession(preset);
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text });
  const events = await lab.readAll(actor, runId);
  return { events, run: await lab.runs.getRun(actor, runId) };
}

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
const tools = z.array(z.object({ function: z.object({ name: z.string() }) }));
const toolsOf = (request: number) =>
  tools
    .parse(provider.requests[request]?.body['tools'])
    .map((tool) => tool.function.name)
    .sort();

describe('a preset with an agent', () => {
  it('answers by it where there is a model, with the capabilities that the preset lists and no other', async () => {
    provider.script(
      streamed({ calls: [call('c1', 'test_effect-read', { label: 'one' }), call('c2', 'test.effect-keyed', { label: 'out' })] }),
      streamed({ text: 'Read it.' }),
    );
    const { run } = await ask('agent', 'read one');
    expect(run).toMatchObject({ state: 'FINISH_OK', path: 'llm', answer: 'Read it.' });
    expect(String(provider.requests[0]?.body.messages?.[0]?.content)).toContain('ROLE:staged');
    expect(toolsOf(0)).toEqual(['delegate', 'test_effect-read']);
    expect(run.invocations.map(({ capabilityId, state, error }) => [capabilityId, state, error?.code ?? null])).toEqual([
      ['test.effect-read', 'SUCCEEDED', null],
      ['test.effect-keyed', 'FAILED', 'unknown_capability'],
    ]);
    expect(lab.effects.of('out')).toEqual([]);
  });

  it('is told what its plugin contributes, after what the platform does', async () => {
    provider.script(streamed({ text: 'Hello.' }));
    const { events } = await ask('agent', 'hi');
    expect(events.find(({ type }) => type === 'context-assembled')?.payload.fragments).toMatchObject([
      { contributor: 'staged_main', namespace: 'agent', key: 'instructions' },
      { contributor: 'ontology', key: 'summary' },
      { contributor: 'ontology', key: 'revision' },
      { contributor: 'staged', order: 100, namespace: 'staged', key: 'note', value: 'kept in stages' },
      { contributor: 'user', key: 'message' },
    ]);
  });

  it('answers by its stages where the model fails before it has said anything', async () => {
    provider.script(refused(401, 'no such key'));
    const { run } = await ask('agent', 'test.effect-read only');
    expect(run).toMatchObject({
      state: 'FINISH_OK',
      path: 'deterministic',
      graph: 'staged',
      answer: 'done: only',
      pathReason: { code: 'model-failed' },
    });
  });
});

describe('plugins beside the platform', () => {
  verifies('P-03', 'lend their agents to the supervisor as specialists', async () => {
    provider.script(
      streamed({ calls: [call('c1', 'delegate', { agent: 'staged_agent', task: 'read two' })] }),
      streamed({ calls: [call('c2', 'test_effect-read', { label: 'two' })] }),
      streamed({ text: 'two is read' }),
      streamed({ text: 'The specialist says: two is read.' }),
    );
    const { run, events } = await ask('default', 'have two read');
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'The specialist says: two is read.' });
    expect(events.find(({ type }) => type === 'handoff')?.payload).toMatchObject({ to: 'staged_agent' });
    expect(run.invocations.map(({ capabilityId }) => capabilityId)).toEqual(['test.effect-read']);
  });
});
