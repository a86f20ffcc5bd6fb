import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { chunk, type ModelServer, raw, refused, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { ModelError } from '../domain/model-error.ts';
import type { PromptMessage } from '../domain/prompt.ts';
import type { ModelPart } from '../ports.ts';
import { createLanguageModel } from './create-language-model.ts';

const toolCall = (index: number | undefined, id: string, text: string) => ({
  ...(index !== undefined && { index }),
  id,
  type: 'function',
  function: { name: 'lookup', arguments: text },
});
const delta = (...calls: object[]) => chunk({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] });
const callsOf = (parts: ModelPart[]) =>
  parts.filter((part) => part.type === 'tool-call').map(({ callId, argumentsText }) => [callId, argumentsText]);

describe('a compatible provider', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(async () => {
    server.verify();
    await server.close();
  });

  const model = () =>
    createLanguageModel({
      spec: { provider: 'compatible', model: 'scripted' },
      baseUrl: server.url,
      apiKey: 'sk-scripted-0123456789',
      fetch: globalThis.fetch,
    });
  const user: PromptMessage = { role: 'user', content: 'hi' };
  const ask = async (messages: PromptMessage[] = [user], signal = AbortSignal.timeout(5_000)) => {
    const parts: ModelPart[] = [];
    for await (const part of model().call({
      messages,
      tools: [{ name: 'lookup', description: 'd', inputSchema: { type: 'object' } }],
      signal,
    }))
      parts.push(part);
    return parts;
  };

  verifies('H-01', 'streams text and ends with its usage', async () => {
    server.script(streamed({ text: 'Hello 世界', chunkSize: 3 }));
    const parts = await ask();
    expect(parts.map((part) => (part.type === 'text-delta' ? part.text : part.type))).toEqual(['Hel', 'lo ', '世界', 'finish']);
    expect(parts.at(-1)).toMatchObject({ reason: 'stop', usage: { inputTokens: 10, outputTokens: 5, isEstimated: false } });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-scripted-0123456789');
  });

  verifies('K5', 'keeps parallel calls apart that share an index, or have none', async () => {
    const end = [chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }), 'data: [DONE]\n\n'];
    server.script(
      raw([delta(toolCall(0, 'A', '{"p":"a"}')), delta(toolCall(0, 'B', '{"p":"b"}')), ...end]),
      raw([delta(toolCall(undefined, 'A', '{"p":"a"}')), delta(toolCall(undefined, 'B', '{"p":"b"}')), ...end]),
      raw([
        delta(toolCall(0, 'A', '{"p":'), toolCall(1, 'B', '{"p":')),
        delta({ index: 0, function: { arguments: '"a"}' } }, { index: 1, function: { arguments: '"b"}' } }),
        ...end,
      ]),
    );
    for (let request = 0; request < 3; request += 1)
      expect(callsOf(await ask()), `request ${request}`).toEqual([
        ['A', '{"p":"a"}'],
        ['B', '{"p":"b"}'],
      ]);
  });

  it.each([
    [429, 'rate-limited', { 'retry-after': '7' }, 7_000],
    [429, 'rate-limited', { 'retry-after-ms': '300' }, 300],
    [429, 'rate-limited', {}, null],
    [503, 'overloaded', {}, null],
    [529, 'overloaded', {}, null],
    [401, 'unauthenticated', {}, null],
    [400, 'invalid-request', {}, null],
  ])('answers %d as %s', async (status, kind, headers, retryAfterMs) => {
    server.script(refused(status, 'the provider says no', headers));
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind, status, retryAfterMs });
    expect(String(error)).toContain('the provider says no');
    expect(String(error)).not.toContain('Bearer');
  });

  it('says that an answer was cut off, after what had come', async () => {
    server.script(streamed({ text: 'one two three', chunkSize: 4, delayMs: 10, cutAfter: 3 }));
    const heard: string[] = [];
    const failing = (async () => {
      for await (const part of model().call({ messages: [user], signal: AbortSignal.timeout(5_000) }))
        if (part.type === 'text-delta') heard.push(part.text);
    })();
    await expect(failing).rejects.toMatchObject({ kind: 'cut-off' });
    expect(heard.join('')).toBe('one two ');
  });

  it('says so too when the connection ends as if all were well, and no reason to finish came', async () => {
    server.script(raw([chunk({ choices: [{ index: 0, delta: { content: 'half' }, finish_reason: null }] })]));
    await expect(ask()).rejects.toMatchObject({ kind: 'cut-off' });
  });

  it('stops when its signal fires, without waiting for the provider', async () => {
    const stop = new AbortController();
    const whole = streamed({ text: 'abcdefghij', chunkSize: 1, delayMs: 500 });
    let askedAt = 0;
    server.script((request, response) => {
      askedAt = performance.now();
      setTimeout(() => stop.abort(), 100);
      return whole(request, response);
    });
    await expect(ask([user], stop.signal)).rejects.toMatchObject({ kind: 'aborted' });
    expect(performance.now() - askedAt).toBeLessThan(2_000);
  });

  it('is unreachable where nobody listens', async () => {
    const nowhere = createLanguageModel({
      spec: { provider: 'compatible', model: 'm' },
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: null,
      fetch: globalThis.fetch,
    });
    const call = (async () => {
      for await (const part of nowhere.call({ messages: [user], signal: AbortSignal.timeout(5_000) })) expect(part).toBeNull();
    })();
    await expect(call).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('has no usage where none is reported, and a reason for every way to finish', async () => {
    server.script(
      streamed({ text: 'x', usage: null }),
      streamed({ text: 'x', finishReason: 'length' }),
      streamed({ text: 'x', finishReason: 'content_filter' }),
      streamed({ text: 'x', finishReason: 'moon_phase' }),
    );
    expect((await ask()).at(-1)).toMatchObject({ reason: 'stop', usage: null });
    expect((await ask()).at(-1)).toMatchObject({ reason: 'length' });
    expect((await ask()).at(-1)).toMatchObject({ reason: 'refusal' });
    expect((await ask()).at(-1)).toMatchObject({ reason: 'unknown', rawReason: 'moon_phase' });
  });

  verifies('K20', 'sends reasoning back to the provider it came from, and to no other', async () => {
    server.script(
      streamed({ reasoning: 'think', calls: [{ id: 'c1', name: 'lookup', arguments: '{}' }] }),
      streamed({ text: 'done' }),
      streamed({ text: 'done' }),
    );
    const parts = await ask();
    const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.reasoning] : []));
    expect(reasoning).toMatchObject([{ text: 'think', provider: 'compatible' }]);
    const history = (provider: string): PromptMessage[] => [
      user,
      {
        role: 'assistant',
        content: [
          ...reasoning.map((part) => ({ ...part, provider })),
          { type: 'tool-call', callId: 'c1', toolName: 'lookup', arguments: {} },
        ],
      },
      { role: 'tool', results: [{ callId: 'c1', toolName: 'lookup', text: 'r', isError: false }] },
    ];
    await ask(history('compatible'));
    await ask(history('anthropic'));
    const sent = server.requests.slice(1).map((request) => JSON.stringify(request.body.messages));
    expect(sent[0]).toContain('think');
    expect(sent[1]).not.toContain('think');
  });

  verifies('K31', 'counts cached input and reasoning once', async () => {
    server.script(
      streamed({
        text: 'x',
        usage: {
          prompt_tokens: 17_903,
          completion_tokens: 20,
          total_tokens: 17_923,
          prompt_tokens_details: { cached_tokens: 17_817 },
          completion_tokens_details: { reasoning_tokens: 12 },
        },
      }),
    );
    expect((await ask()).at(-1)).toMatchObject({
      usage: { inputTokens: 86, cachedInputTokens: 17_817, cacheWriteTokens: 0, outputTokens: 8, reasoningTokens: 12 },
    });
  });
});
