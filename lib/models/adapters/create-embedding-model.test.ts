import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedded, textsOf, vectorOf } from '#lib/testing/embedding-steps.ts';
import { type ModelServer, refused, startModelServer } from '#lib/testing/model-server.ts';
import type { ModelError } from '../domain/model-error.ts';
import { createEmbeddingModel } from './create-embedding-model.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const open = (provider: 'openai' | 'compatible' | 'anthropic', baseUrl: string | null = server.url) =>
  createEmbeddingModel({ spec: { provider, model: 'small' }, baseUrl, apiKey: 'sk-secret', fetch: globalThis.fetch });
const signal = () => AbortSignal.timeout(5_000);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ModelError) => error,
  );

describe('createEmbeddingModel', () => {
  it.each(['openai', 'compatible'] as const)('asks a provider of kind %s with its key, and keeps the order', async (provider) => {
    server.script(embedded({ dimensions: 8 }));
    const { vectors, inputTokens } = await open(provider).embed({ texts: ['a dog', 'the sea'], signal: signal() });
    expect(vectors).toEqual([vectorOf('a dog', 8), vectorOf('the sea', 8)]);
    expect(inputTokens).toBe(14);
    const sent = server.requests.at(-1);
    expect(sent).toMatchObject({ path: '/v1/embeddings', headers: { authorization: 'Bearer sk-secret' }, body: { model: 'small' } });
    expect(sent && textsOf(sent)).toEqual(['a dog', 'the sea']);
    server.verify();
  });

  it('says when the provider did not report what was used', async () => {
    server.script(embedded({ usage: false }));
    expect((await open('compatible').embed({ texts: ['a dog'], signal: signal() })).inputTokens).toBeNull();
  });

  it('says why a provider refuses, without the key', async () => {
    server.script(refused(401, 'Incorrect API key sk-secret'));
    const failure = await failureOf(open('compatible').embed({ texts: ['a dog'], signal: signal() }));
    expect(failure).toMatchObject({ kind: 'unauthenticated', status: 401 });
    expect(failure?.message).not.toContain('sk-secret');
  });

  it.each([
    ['too few vectors', [[1, 2]]],
    ['vectors of two lengths', [[1, 2], [1]]],
    ['empty vectors', [[], []]],
  ])('takes no answer with %s', async (_what, vectors) => {
    server.script((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ embedding, index })), usage: { prompt_tokens: 1 } }));
    });
    const failure = await failureOf(open('compatible').embed({ texts: ['a', 'b'], signal: signal() }));
    expect(failure).toMatchObject({ name: 'ModelError', kind: 'invalid-request' });
  });

  it('refuses a provider that has no embeddings, and one without an address', () => {
    expect(() => open('anthropic')).toThrow('Anthropic offers no embedding models');
    expect(() => open('compatible', null)).toThrow('needs its base URL');
  });
});
