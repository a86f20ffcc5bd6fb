import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { budgetOf } from '#lib/models/index.ts';
import { type ModelServer, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';
import { STAGED_PLUGIN } from '#lib/testing/staged-plugin.ts';

let lab: RunLab;
let provider: ModelServer;

beforeAll(async () => {
  lab = await createRunLab({ manifests: [STAGED_PLUGIN], timeLimitMs: 30_000 });
});
afterAll(() => lab.close());
beforeEach(async () => {
  provider = await startModelServer(() => streamed({ text: 'Answer.', usage: null }));
});
afterEach(() => provider.close());

const TEXT = 'word '.repeat(1_000).trim();
const counted = z.object({ context: z.object({ estimatedTokens: z.number() }) });
/** What plugins tell a run besides, in tokens: it is not counted when a message is sent. */
const TOLD_BESIDES = 30;

function useModel(contextTokens: number): void {
  const spec = { provider: 'compatible', model: 'small', contextTokens } as const;
  const model = createLanguageModel({ spec, baseUrl: provider.url, apiKey: null, fetch: globalThis.fetch });
  lab.useModel({ status: 'available', model, price: null, fallsBack: false });
}

const limitOf = (contextTokens: number) => budgetOf({ provider: 'compatible', model: 'small', contextTokens }).limitTokens;

/** The smallest window in which a prompt of so many tokens has room. */
function windowFor(limitTokens: number): number {
  let contextTokens = limitTokens;
  while (limitOf(contextTokens) < limitTokens) contextTokens += 1;
  return contextTokens;
}

async function ask(preset: string) {
  const { actor, sessionId } = await lab.aSession(preset);
  const sending = lab.runs.submitMessage(actor, { sessionId, text: TEXT });
  const stored = () => lab.owner`select id from message where session_id = ${toUuid(sessionId)}`;
  return { actor, sending, stored };
}

/** What the run's call takes of the window, as the run itself counted it. */
async function tokensOfRun(preset: string): Promise<number> {
  const { actor, sending } = await ask(preset);
  const { runId } = await sending;
  const events = await lab.readAll(actor, runId);
  await expect(lab.runs.getRun(actor, runId)).resolves.toMatchObject({ state: 'FINISH_OK', path: 'llm' });
  return counted.parse(events.find(({ type }) => type === 'model-call')?.payload).context.estimatedTokens;
}

describe('the room for a message', () => {
  verifies('H-05', 'is what the run has for it: what fits there is taken in, and what never can is not stored', async () => {
    useModel(100_000);
    const tokens = await tokensOfRun('default');
    useModel(windowFor(tokens));
    await expect(tokensOfRun('default')).resolves.toBe(tokens);
    const asked = provider.requests.length;
    useModel(windowFor(tokens - TOLD_BESIDES));
    const { sending, stored } = await ask('default');
    await expect(sending).rejects.toMatchObject({ code: 'message_too_large' });
    await expect(stored()).resolves.toEqual([]);
    expect(provider.requests).toHaveLength(asked);
  });

  verifies('H-05', 'is larger under a preset with few tools, and without bounds where no model is asked', async () => {
    useModel(100_000);
    const [all, few] = [await tokensOfRun('default'), await tokensOfRun('agent')];
    expect(few).toBeLessThan(all - TOLD_BESIDES);
    useModel(windowFor(few));
    await expect((await ask('default')).sending).rejects.toMatchObject({ code: 'message_too_large' });
    await expect(tokensOfRun('agent')).resolves.toBe(few);
    useModel(windowFor(few - TOLD_BESIDES));
    await expect((await ask('agent')).sending).rejects.toMatchObject({ code: 'message_too_large' });
    await expect((await ask('staged')).sending).resolves.toMatchObject({ queuePlace: 0 });
  });
});
