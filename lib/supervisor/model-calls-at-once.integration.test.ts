import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { type ModelServer, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

const CALLS = 50;
let lab: RunLab;
let provider: ModelServer;
/** Each lets one answer go. */
const held: (() => void)[] = [];

beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 120_000, places: CALLS, connections: 2 });
  const answer = streamed({ text: 'There you are.' });
  provider = await startModelServer(() => async (request, response: ServerResponse) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await answer(request, response);
  });
  lab.useModel({
    status: 'available',
    model: createLanguageModel({
      spec: { provider: 'compatible', model: 'scripted' },
      baseUrl: provider.url,
      apiKey: 'sk-scripted-0123456789',
      fetch: globalThis.fetch,
    }),
    price: null,
    fallsBack: false,
  });
});
afterAll(async () => {
  for (const release of held) release();
  await lab?.close();
  await provider?.close();
});

describe('a model call', () => {
  verifies(
    'H-26',
    'holds no connection: two carry fifty calls at once, and requests beside them',
    async () => {
      const asked = await Promise.all(
        Array.from({ length: CALLS }, async () => {
          const { actor, sessionId } = await lab.aSession();
          const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'hello' });
          return { actor, runId };
        }),
      );
      await eventually(() => held.length === CALLS);
      // All of them wait for the model, and the database is there for others.
      for (const { actor, runId } of asked.slice(0, 5)) expect((await lab.runs.getRun(actor, runId)).state).toBe('RUNNING');
      for (const release of held.splice(0)) release();
      for (const { actor, runId } of asked) {
        await lab.readAll(actor, runId);
        expect(await lab.runs.getRun(actor, runId)).toMatchObject({ state: 'FINISH_OK', answer: 'There you are.' });
      }
    },
    120_000,
  );
});
