import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '#lib/agents/index.ts';
import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { newId } from '#lib/kernel/index.ts';
import { createTokenCalibration, estimateTokens, type TokenCounter } from '#lib/models/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { createMessageRoom } from './message-room.ts';
import type { PresetBinding } from './ports.ts';

const actor: Actor = {
  kind: 'user',
  scope: { tenantId: newId('tenant'), userId: newId('user') },
  displayName: 'Ada',
  email: 'ada@example.com',
  roleKey: 'member',
  roleName: 'Member',
  permissions: new Set(),
  locale: null,
  timeZone: 'UTC',
};

const words = (count: number) => 'word '.repeat(count).trim();

/** A tool whose description takes some thousand tokens. */
function tool(id: string): CapabilityMetadata {
  return {
    id,
    version: '1',
    status: 'active',
    domain: 'test',
    title: { en: id, 'zh-CN': id },
    description: { en: words(1_000), 'zh-CN': id },
    keywords: [],
    examples: [],
    inputSchema: { type: 'object', properties: {} },
    requiredPermissions: [],
    sideEffect: 'read',
    idempotency: 'idempotent',
    timeoutMs: 1_000,
  };
}

const agent: AgentDefinition = {
  id: 'own',
  title: { en: 'Own', 'zh-CN': '自有' },
  description: 'Answers under the preset.',
  instructions: 'ROLE:own',
  tools: { ids: ['a'] },
  limits: { maxModelCalls: 1, maxToolCalls: 1 },
};
const pipeline = {} as NonNullable<PresetBinding['pipeline']>;

const companions = async () => ({ specialists: [], contributors: [] });

/** Sends a message of a thousand words to a model with room for `limitTokens`; the code of the refusal, or null. */
async function send(given: {
  preset?: Partial<PresetBinding>;
  limitTokens: number;
  exact?: TokenCounter | null;
  isSessionThere?: boolean;
  text?: string;
}): Promise<string | null> {
  const { preset = {}, limitTokens, exact = null, isSessionThere = true, text = words(1_000) } = given;
  const spec = { provider: 'compatible', model: 'small', contextTokens: Math.ceil(limitTokens / (0.75 * 0.95)) } as const;
  const requireRoom = createMessageRoom({
    models: { find: async () => ({ status: 'available', model: { spec, call: async function* () {} }, price: null, fallsBack: false }) },
    registry: { list: async () => ['a', 'b', 'c', 'd'].map(tool) },
    ontology: { describe: async () => ({ summary: 'nothing', revision: 'r1' }) },
    bindPreset: () => ({ capabilityIds: null, pipeline: null, agent: null, companions, ...preset }),
    findPreset: async () => (isSessionThere ? 'some' : null),
    counters: { exact: async () => exact },
    calibration: createTokenCalibration(),
  });
  return requireRoom(actor, { sessionId: newId('session'), text }).then(
    () => null,
    (error: { code: string }) => error.code,
  );
}

describe('the room for a message', () => {
  it('counts the tools of the preset and of its agent, and no others', async () => {
    const limitTokens = 3_000;
    await expect(send({ limitTokens })).resolves.toBe('message_too_large');
    await expect(send({ limitTokens, preset: { capabilityIds: ['a'] } })).resolves.toBeNull();
    await expect(send({ limitTokens, preset: { capabilityIds: ['a', 'b', 'c'] } })).resolves.toBe('message_too_large');
    await expect(send({ limitTokens, preset: { agent } })).resolves.toBeNull();
    await expect(send({ limitTokens, preset: { agent: { ...agent, tools: 'all' } } })).resolves.toBe('message_too_large');
  });

  it('has no bounds where a pipeline answers, which asks no model; where an agent does, it has', async () => {
    await expect(send({ limitTokens: 600, preset: { pipeline } })).resolves.toBeNull();
    await expect(send({ limitTokens: 600, preset: { pipeline, agent } })).resolves.toBe('message_too_large');
  });

  it('is told by the model’s own tokenizer where it has one', async () => {
    await expect(send({ limitTokens: 3_000, exact: (text) => Math.ceil(estimateTokens(text) / 3) })).resolves.toBeNull();
    await expect(send({ limitTokens: 1_500, preset: { agent }, exact: (text) => estimateTokens(text) * 2 })).resolves.toBe(
      'message_too_large',
    );
  });

  it('leaves what is short, and what nobody has a session for, to others', async () => {
    await expect(send({ limitTokens: 600, text: 'hello' })).resolves.toBeNull();
    await expect(send({ limitTokens: 600, isSessionThere: false })).resolves.toBeNull();
  });
});
