import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { PERMISSIONS } from '#lib/tenancy/index.ts';
import { startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 20_000 });
});
afterAll(() => lab?.close());

type Chat = Awaited<ReturnType<RunLab['aSession']>>;

async function say({ actor, sessionId }: Chat, text: string): Promise<Id<'run'>> {
  return (await lab.runs.submitMessage(actor, { sessionId, text })).runId;
}

async function ask(chat: Chat, text: string): Promise<Id<'run'>> {
  const runId = await say(chat, text);
  await lab.readAll(chat.actor, runId);
  return runId;
}

const readFigures = (chat: Chat, period: '1d' | '7d' = '7d') => lab.record.readFigures(chat.actor, { period });

describe('the figures of a workspace', () => {
  verifies('H-31', 'count its tools, the slowest first, with their means, failures and retries', async () => {
    const chat = await lab.aSession();
    await ask(chat, 'test.effect-read one | test.stream 20 20');
    lab.effects.failNext(1);
    await ask(chat, 'test.effect-read two');
    const { runs, tools, stages, isCut } = await readFigures(chat);
    expect(runs).toMatchObject({ total: 2, stopped: 0 });
    expect(runs.p95Ms).toBeGreaterThanOrEqual(400);
    expect(tools.map(({ capabilityId, calls }) => [capabilityId, calls])).toEqual([
      ['test.stream', 1],
      ['test.effect-read', 2],
    ]);
    const [stream, effect] = tools;
    expect(stream?.p95Ms).toBeGreaterThanOrEqual(380);
    expect(stream).toMatchObject({ failed: 0, retries: 0 });
    // Failed in passing: once more, and then it went, or it did not.
    expect((effect?.retries ?? 0) + (effect?.failed ?? 0)).toBe(1);
    expect(effect?.meanMs).toBeGreaterThan(0);
    expect([stages, isCut]).toEqual([[], false]);
  });

  verifies('H-31', 'count its models by scene, the most expensive first, and what has no price apart', async () => {
    const provider = await startModelServer();
    const chat = await lab.aSession();
    const use = (model: string, outputMicros: number | null) =>
      lab.useModel({
        status: 'available',
        model: createLanguageModel({
          spec: { provider: 'compatible', model },
          baseUrl: provider.url,
          apiKey: null,
          fetch: globalThis.fetch,
        }),
        price: outputMicros === null ? null : { currency: 'USD', inputMicros: 0, cachedInputMicros: 0, cacheWriteMicros: 0, outputMicros },
        fallsBack: false,
      });
    for (const [model, price] of [
      ['cheap', 1_000_000],
      ['dear', 9_000_000],
      ['unpriced', null],
      ['dear', 9_000_000],
    ] as const) {
      use(model, price);
      provider.script(streamed({ text: 'Done.' }));
      await ask(chat, 'go on');
    }
    lab.useModel({ status: 'unavailable', code: 'no-model' });
    const { models } = await readFigures(chat);
    expect(models).toMatchObject([
      {
        provider: 'compatible',
        model: 'dear',
        scene: 'answer',
        calls: 2,
        inputTokens: 20,
        outputTokens: 10,
        costs: [{ currency: 'USD', micros: 90 }],
        unpriced: 0,
      },
      { model: 'cheap', calls: 1, costs: [{ currency: 'USD', micros: 5 }] },
      { model: 'unpriced', calls: 1, costs: [], unpriced: 1 },
    ]);
    await provider.close();
  });

  it('say where open runs stand, and which has been silent for longest', async () => {
    const chat = await lab.aSession();
    const other = await lab.aSession('default', chat.actor);
    const asking = await say(chat, 'test.effect-destructive one');
    await eventually(async () => (await lab.runs.getRun(chat.actor, asking)).state === 'WAITING');
    lab.effects.hold('held');
    const held = await say(other, 'test.effect-once held');
    const behind = await say(other, 'test.effect-read behind');
    await eventually(() => lab.effects.of('held').length > 0);
    const { stages } = await readFigures(chat);
    const standing = stages.map(({ stage, runs, runId }) => [stage, runs, runId]);
    expect(standing[0]).toEqual(['approval', 1, asking]);
    expect(standing).toEqual(
      expect.arrayContaining([
        ['tool', 1, held],
        ['queue', 1, behind],
      ]),
    );
    expect(standing).toHaveLength(3);
    lab.effects.release('held');
    await Promise.all([lab.runs.cancelRun(chat.actor, asking), lab.readAll(chat.actor, held), lab.readAll(chat.actor, behind)]);
    expect((await readFigures(chat)).stages).toEqual([]);
  });

  it('are of its own runs in the period, and take the right to them', async () => {
    const chat = await lab.aSession();
    const colleague = { ...chat, actor: await lab.aColleague(chat.actor) };
    const stranger = await lab.aSession();
    const old = await ask(chat, 'test.effect-read old');
    expect((await readFigures(colleague, '1d')).runs.total).toBe(1);
    expect(await readFigures(stranger)).toMatchObject({ runs: { total: 0, p50Ms: null }, tools: [], models: [], stages: [] });
    // As though it had been asked for three days ago.
    const then = (Date.now() - 3 * 86_400_000).toString(16).padStart(12, '0');
    const uuid = `${then.slice(0, 8)}-${then.slice(8)}${toUuid(old).slice(13)}`;
    await lab.owner.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      for (const table of ['run_event', 'invocation', 'node_record', 'model_call', 'message', 'run_word'])
        await tx`update ${tx(table)} set run_id = ${uuid} where run_id = ${toUuid(old)}`;
      await tx`update run set id = ${uuid} where id = ${toUuid(old)}`;
    });
    expect((await readFigures(chat, '1d')).runs.total).toBe(0);
    expect((await readFigures(chat, '7d')).runs.total).toBe(1);
    const lacking = PERMISSIONS.filter((permission) => permission !== 'metrics:read');
    const without = { ...chat, actor: await lab.aColleague(chat.actor, lacking) };
    await expect(readFigures(without)).rejects.toMatchObject({ code: 'permission_denied', details: { permission: 'metrics:read' } });
  });
});
