import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { budgetOf, estimateTokens } from '#lib/models/index.ts';
import { definePlugin } from '#lib/plugins/domain/define-plugin.ts';
import { type ModelServer, type SeenRequest, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';

const same = (text: string) => ({ en: text, 'zh-CN': text });
const IMAGE = 'iVBORw0KGgo'.repeat(140_000);
/** Five million characters, and an image of one and a half among them. */
const RESULTS: Readonly<Record<string, string>> = {
  text: `FIRST LINE\n${'a line of a log, as it was written\n'.repeat(145_000)}LAST LINE`,
  image: `A chart: ${IMAGE} as asked.`,
  rows: JSON.stringify({
    total: 20_000,
    rows: Array.from({ length: 20_000 }, (_, id) => ({ id, note: `row ${id} ${'said '.repeat(40)}` })),
  }),
};

const resultOf = (what: unknown) => (typeof what === 'string' ? RESULTS[what] : undefined) ?? '';

const LARGE = definePlugin({
  id: 'LARGE',
  name: same('Large'),
  description: same('Tells more than anybody can read.'),
  publisher: 'Tests',
  version: '1.0.0',
  changelog: [{ version: '1.0.0', date: '2026-12-01', changes: [same('First.')], permissions: [] }],
  kind: 'tool',
  domain: 'test',
  keywords: [],
  icon: 'beaker',
  permissions: [],
  requiresInstall: false,
  capabilities: [
    {
      metadata: {
        id: 'large.read',
        version: '1.0.0',
        status: 'active',
        domain: 'test',
        title: same('Read all'),
        description: same('Reads all of it.'),
        keywords: [],
        examples: [],
        inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
        requiredPermissions: [],
        sideEffect: 'read',
        idempotency: 'idempotent',
        timeoutMs: 10_000,
      },
      create: () => async (args) => ({ output: { length: resultOf(args.what).length }, text: resultOf(args.what) }),
    },
  ],
  presets: [{ key: 'large', name: same('Large'), description: same('One tool.'), capabilityIds: ['large.read'] }],
  agents: [],
  documents: [],
  contextContributors: [],
});

let lab: RunLab;
let provider: ModelServer;
let asked: readonly string[];

beforeAll(async () => {
  lab = await createRunLab({ manifests: [LARGE], timeLimitMs: 60_000 });
});
afterAll(() => lab.close());
beforeEach(async () => {
  asked = [];
  provider = await startModelServer((request) => {
    if (isForSummary(request)) return streamed({ text: '- KEY: it was long.', usage: null });
    const what = asked[provider.requests.filter((seen) => !isForSummary(seen)).length - 1];
    if (what === undefined) return streamed({ text: 'Read.', usage: null });
    return streamed({ calls: [{ id: `c-${what}`, name: 'large_read', arguments: JSON.stringify({ what }) }], usage: null });
  });
});
afterEach(() => provider.close());

const isForSummary = ({ body }: SeenRequest) => String(body.messages?.[0]?.content).startsWith('ROLE:summary');
const callEvent = z.object({ scene: z.string(), context: z.object({ history: z.number(), limitTokens: z.number() }).nullable() });

/** Has a model with this window read `what`, one call after the other. */
async function read(what: readonly string[], contextTokens: number) {
  asked = what;
  const spec = { provider: 'compatible', model: 'small', contextTokens } as const;
  const model = createLanguageModel({ spec, baseUrl: provider.url, apiKey: null, fetch: globalThis.fetch });
  lab.useModel({ status: 'available', model, price: null, fallsBack: false });
  const session = await lab.aSession('large');
  const { runId } = await lab.runs.submitMessage(session.actor, { sessionId: session.sessionId, text: 'Read it.' });
  const events = await lab.readAll(session.actor, runId);
  return { ...session, events, run: await lab.runs.getRun(session.actor, runId), limitTokens: budgetOf(spec).limitTokens };
}

const sentTokens = (request: SeenRequest) => estimateTokens(JSON.stringify([request.body.messages, request.body['tools']]));
const resultsIn = ({ body }: SeenRequest) =>
  (body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => String(content));

describe('a tool’s large result', () => {
  verifies('K8', 'stands in the next calls by its core alone, which stay far inside the window', async () => {
    const { run, events } = await read(['text', 'image', 'rows'], 32_000);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Read.' });
    const [, afterText, afterImage, afterRows] = provider.requests;
    if (!afterText || !afterImage || !afterRows) throw new Error('the model was not asked four times');
    const cores = resultsIn(afterRows);
    expect(cores).toEqual([
      expect.stringMatching(/^FIRST LINE\n[^]*LAST LINE\n\n\[Cut: /),
      expect.stringMatching(/^A chart: \[binary data, \d+ KiB, left out\] as asked\.$/),
      expect.stringMatching(/^\{"total":20000,[^]*\[Cut: /),
    ]);
    // Said the same way in each call, so that what a provider has cached of them holds.
    expect([resultsIn(afterText), resultsIn(afterImage)]).toEqual([cores.slice(0, 1), cores.slice(0, 2)]);
    for (const core of cores) expect(estimateTokens(core)).toBeLessThan(2_100);
    expect(sentTokens(afterRows)).toBeLessThan(6_000);
    expect(events.filter(({ type }) => type === 'conversation-compacted')).toEqual([]);
    expect(JSON.stringify(events).length).toBeLessThan(300_000);
  });

  verifies('K8', 'keeps each next call inside the window, however small it is, and is gone from the next turn', async () => {
    const what = ['text', 'rows', 'text', 'rows'];
    const { actor, sessionId, run, events, limitTokens } = await read(what, 4_000);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Read.' });
    const answers = provider.requests.filter((request) => !isForSummary(request));
    expect(answers).toHaveLength(what.length + 1);
    for (const request of provider.requests) expect(sentTokens(request)).toBeLessThan(4_000);
    const counted = events.filter(({ type }) => type === 'model-call').map(({ payload }) => callEvent.parse(payload));
    expect(counted.filter(({ scene }) => scene === 'answer')).toHaveLength(what.length + 1);
    for (const { context } of counted) if (context) expect(context.history).toBeLessThan(limitTokens);
    asked = [];
    const next = await lab.runs.submitMessage(actor, { sessionId, text: 'And what did it say?' });
    await lab.readAll(actor, next.runId);
    const sent = JSON.stringify(provider.requests.at(-1)?.body.messages);
    expect(sent).toContain('And what did it say?');
    expect(sent).not.toMatch(/a line of a log|row 0/);
  });
});
