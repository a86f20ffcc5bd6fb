import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type ModelServer, type ModelStep, refused, type SeenRequest, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
let provider: ModelServer;
let summaryStep: () => ModelStep;
let answerStep: (request: SeenRequest) => ModelStep;

beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 60_000 });
});
afterAll(() => lab.close());
beforeEach(async () => {
  summaryStep = () => streamed({ text: '- KEY: Ada likes tea.', usage: null });
  answerStep = () => streamed({ text: `Answer. ${'said '.repeat(150)}`, usage: null });
  provider = await startModelServer((request) => (isForSummary(request) ? summaryStep() : answerStep(request)));
  useModel(4_000);
});
afterEach(() => provider.close());

function useModel(contextTokens: number): void {
  const spec = { provider: 'compatible', model: 'small', contextTokens } as const;
  const model = createLanguageModel({ spec, baseUrl: provider.url, apiKey: null, fetch: globalThis.fetch });
  lab.useModel({ status: 'available', model, price: null, fallsBack: false });
}

type Message = { role: string; content: unknown };
const messagesOf = (request: SeenRequest | undefined): readonly Message[] => request?.body.messages ?? [];
const isForSummary = (request: SeenRequest) => String(messagesOf(request)[0]?.content).startsWith('ROLE:summary');
const answers = () => provider.requests.filter((request) => !isForSummary(request));
const summaries = () => provider.requests.filter(isForSummary);
const long = (words: string) => `${words} ${'word '.repeat(200)}`.trim();

async function ask(text: string, given?: { actor: Actor; sessionId: Id<'session'> }) {
  const { actor, sessionId } = given ?? (await lab.aSession());
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text });
  const events = await lab.readAll(actor, runId);
  return { actor, sessionId, runId, events, run: await lab.runs.getRun(actor, runId) };
}

/** Asks on and on until something had to leave. */
async function askUntilCompacted() {
  let last = await ask(long('question 0'));
  const session = { actor: last.actor, sessionId: last.sessionId };
  for (let count = 1; count < 20; count += 1) {
    last = await ask(long(`question ${count}`), session);
    const compacted = last.events.find(({ type }) => type === 'conversation-compacted');
    if (compacted) return { ...last, ...session, count, compacted: compacted.payload };
  }
  throw new Error('nothing had to leave');
}

describe('a conversation that is longer than its model’s room', () => {
  verifies(
    ['H-01', 'H-05', 'H-06', 'H-09', 'H-10'],
    'is compacted before the call, by a recorded call of the model, and goes on',
    async () => {
      const { actor, sessionId, runId, run, count, compacted, events } = await askUntilCompacted();
      expect(run.state).toBe('FINISH_OK');
      expect(compacted).toMatchObject({ source: 'model', summary: '- KEY: Ada likes tea.', progress: null, stepCount: 0 });
      expect(Number(compacted.tokensAfter)).toBeLessThan(Number(compacted.tokensBefore));
      const sent = messagesOf(answers().at(-1));
      expect(sent.slice(0, 3).map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
      expect(sent[1]?.content).toMatch(/kept as key points[^]*KEY: Ada likes tea\.[^]*Go on from there/);
      expect(sent.at(-1)).toEqual({ role: 'user', content: long(`question ${count}`) });
      expect(JSON.stringify(sent)).not.toContain('question 0 ');
      // Before the call that needed the room, and with its cost on record.
      const order = events.map(({ type, payload }) => (type === 'model-call' ? `call for ${String(payload.scene)}` : type));
      expect(order.filter((each) => /^call|compacted/.test(each))).toEqual([
        'call for summary',
        'conversation-compacted',
        'call for answer',
      ]);
      const calls = await lab.owner`select path, scene, context from model_call where run_id = ${toUuid(runId)} order by path`;
      expect(calls.map(({ path, scene }) => [path, scene])).toEqual([
        ['platform_supervisor/m0', 'answer'],
        ['platform_supervisor/m0/summary/m0', 'summary'],
      ]);
      expect(calls[0]?.context).toMatchObject({ windowTokens: 4_000, limitTokens: 2_850 });

      // What was asked of the model for it: what left, and nothing that stayed (H-07).
      const asked = String(messagesOf(summaries()[0])[1]?.content);
      expect(asked).toContain('question 0');
      expect(asked).not.toContain(`question ${count}`);

      // The next turn begins with it, and the one after that makes the next summary of this one.
      await ask('short', { actor, sessionId });
      expect(messagesOf(answers().at(-1))[1]?.content).toContain('KEY: Ada likes tea.');
      summaryStep = () => streamed({ text: '- KEY: Ada likes tea. Bob too.' });
      const before = summaries().length;
      for (let more = 0; more < 12 && summaries().length === before; more += 1) await ask(long(`later ${more}`), { actor, sessionId });
      const again = String(messagesOf(summaries().at(-1))[1]?.content);
      expect(again).toContain('Key points so far:\n<<<\n- KEY: Ada likes tea.\n>>>');
      expect(again).not.toContain('question 0');
    },
    120_000,
  );

  verifies(
    ['H-08', 'K14'],
    'is kept by an extract when the model writes none, or nothing',
    async () => {
      for (const failing of [() => refused(400, 'no'), () => streamed({ text: '' })]) {
        summaryStep = failing;
        const { run, compacted } = await askUntilCompacted();
        expect(run.state).toBe('FINISH_OK');
        expect(compacted).toMatchObject({ source: 'extract', summary: expect.stringContaining('- Asked: question') });
      }
    },
    120_000,
  );

  verifies(
    ['H-10', 'K14'],
    'is compacted in the middle of a turn, between two calls of tools',
    async () => {
      let step = 0;
      answerStep = () => {
        step += 1;
        if (step > 8) return streamed({ text: 'Done.' });
        const args = JSON.stringify({ label: `step ${step} ${'found '.repeat(300)}` });
        return streamed({ calls: [{ id: `c${step}`, name: 'test_effect-read', arguments: args }], usage: null });
      };
      const { run, events } = await ask('What must be answered? 这个问题不能丢。');
      expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Done.' });
      const compacted = events.filter(({ type }) => type === 'conversation-compacted').map(({ payload }) => payload);
      expect(compacted[0]).toMatchObject({ source: 'model', summary: null, progress: '- KEY: Ada likes tea.', turns: [] });
      const sent = messagesOf(answers().at(-1));
      expect(sent[1]?.content).toMatch(/What you have done so far for the last message below:\n- KEY/);
      const question = sent.findIndex(({ content }) => content === 'What must be answered? 这个问题不能丢。');
      expect(sent.slice(question).map(({ role }) => role)).toEqual(expect.arrayContaining(['user', 'assistant', 'tool']));
      expect(sent.at(-1)?.role).toBe('tool');
      expect(JSON.stringify(sent.at(-2))).toContain('step 8');
    },
    60_000,
  );

  verifies(
    'H-08',
    'makes no summary twice when another process takes the run on',
    async () => {
      let cut: Id<'run'> | null = null;
      const { actor, sessionId } = await ask(long('question 0'));
      answerStep = () => async (request, response) => {
        // The process loses the run once it has the summary.
        const mine = cut;
        cut = null;
        if (mine) await lab.cutOff(mine);
        await streamed({ text: `Answer. ${'said '.repeat(150)}`, usage: null })(request, response);
      };
      for (let count = 1; count < 20; count += 1) {
        const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: long(`question ${count}`) });
        summaryStep = () => (request, response) => {
          cut = runId;
          return streamed({ text: '- KEY: once.' })(request, response);
        };
        await lab.readAll(actor, runId);
        if (summaries().length > 0) break;
      }
      expect(summaries()).toHaveLength(1);
      const [first, second] = answers().slice(-2).map(messagesOf);
      expect(second).toEqual(first);
      expect(JSON.stringify(second)).toContain('KEY: once.');
    },
    120_000,
  );

  verifies(
    ['H-08', 'H-28'],
    'has each summary on record where a process with less room takes the run on',
    async () => {
      let cut: Id<'run'> | null = null;
      const { actor, sessionId } = await ask(long('question 0'));
      answerStep = () => async (request, response) => {
        const mine = cut;
        cut = null;
        if (mine) {
          useModel(2_100);
          await lab.cutOff(mine);
        }
        await streamed({ text: `Answer. ${'said '.repeat(150)}`, usage: null })(request, response);
      };
      for (let count = 1; count < 20; count += 1) {
        const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: long(`question ${count}`) });
        summaryStep = () => (request, response) => {
          if (summaries().length === 1) cut = runId;
          return streamed({ text: `- KEY: number ${summaries().length}.`, usage: null })(request, response);
        };
        const events = await lab.readAll(actor, runId);
        if (summaries().length === 0) continue;
        const rows = await lab.owner`select path, summary from conversation_summary where run_id = ${toUuid(runId)} order by path`;
        expect(rows.map((row) => ({ ...row }))).toEqual([
          { path: 'platform_supervisor/m0/compaction', summary: '- KEY: number 1.' },
          { path: 'platform_supervisor/m0/compaction1', summary: '- KEY: number 2.' },
        ]);
        expect(events.filter(({ type }) => type === 'conversation-compacted').map(({ payload }) => payload.path)).toEqual(
          rows.map(({ path }) => path),
        );
        expect(JSON.stringify(messagesOf(answers().at(-1)))).toContain('KEY: number 2.');
        return;
      }
      throw new Error('nothing had to leave');
    },
    60_000,
  );

  verifies('H-05', 'takes in no message that the model could never be shown', async () => {
    const { actor, sessionId } = await lab.aSession();
    const text = '字'.repeat(5_000);
    await expect(lab.runs.submitMessage(actor, { sessionId, text })).rejects.toMatchObject({ code: 'message_too_large' });
    expect(await lab.owner`select id from message where session_id = ${toUuid(sessionId)}`).toEqual([]);
    expect(provider.requests).toEqual([]);
    lab.useModel({ status: 'unavailable', code: 'no-model' });
    await expect(lab.runs.submitMessage(actor, { sessionId, text: `test.effect-read ${text}` })).resolves.toMatchObject({ queuePlace: 0 });
  });
});
