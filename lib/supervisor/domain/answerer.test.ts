import { describe, expect, it } from 'vitest';
import { type AgentDefinition, PLATFORM_SUPERVISOR, SPECIALISTS } from '#lib/agents/index.ts';
import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { answererUnder, capabilitiesUnder, exposeDelegate, exposeTools, systemPromptOf } from './answerer.ts';

const capability = (id: string, more: Partial<CapabilityMetadata> = {}): CapabilityMetadata => ({
  id,
  version: '1',
  status: 'active',
  domain: id.split('.')[0] ?? id,
  title: { en: id, 'zh-CN': id },
  description: { en: `About ${id}.`, 'zh-CN': id },
  keywords: [],
  examples: [],
  inputSchema: { type: 'object', properties: {} },
  requiredPermissions: [],
  sideEffect: 'read',
  idempotency: 'idempotent',
  timeoutMs: 1_000,
  ...more,
});
const ALL = [capability('math.add'), capability('text.count'), capability('agents.delegate', { protocol: 'AGENT' })];
const own: AgentDefinition = { ...PLATFORM_SUPERVISOR, id: 'own', instructions: 'ROLE:own' };
const idsOf = (capabilities: readonly CapabilityMetadata[]) => capabilities.map(({ id }) => id);

describe('who answers', () => {
  it('is the agent of the preset, else the platform’s, with the specialists of both', () => {
    expect(answererUnder({ agent: null }, { specialists: [] })).toEqual({ agent: PLATFORM_SUPERVISOR, specialists: SPECIALISTS });
    expect(answererUnder({ agent: own }, { specialists: [own] })).toEqual({ agent: own, specialists: [...SPECIALISTS, own] });
  });

  it('is told its instructions and the context, and no empty part', () => {
    expect(systemPromptOf(own, '## a\nb')).toBe('ROLE:own\n\n## a\nb');
    expect(systemPromptOf(own, '')).toBe('ROLE:own');
  });
});

describe('what can be called', () => {
  it('is what the preset lists; a task hands on nothing', () => {
    expect(idsOf(capabilitiesUnder({ capabilityIds: null }, ALL, { isTask: false }))).toEqual(idsOf(ALL));
    expect(idsOf(capabilitiesUnder({ capabilityIds: null }, ALL, { isTask: true }))).toEqual(['math.add', 'text.count']);
    expect(idsOf(capabilitiesUnder({ capabilityIds: ['text.count'] }, ALL, { isTask: false }))).toEqual(['text.count']);
  });

  it('is shown as far as the agent takes it, under names that providers accept and without our annotations', () => {
    const hinted = capability('math.add', { inputSchema: { type: 'object', properties: { n: { type: 'number', 'x-source': 'number' } } } });
    expect(exposeTools([hinted, ...ALL.slice(1)], { domains: ['math'] })).toEqual([
      {
        capabilityId: 'math.add',
        name: 'math_add',
        description: 'About math.add.',
        inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      },
    ]);
    expect(exposeTools(ALL, { ids: ['text.count'] }).map(({ name }) => name)).toEqual(['text_count']);
    expect(exposeTools(ALL, 'all')).toHaveLength(3);
    expect(exposeDelegate([own]).inputSchema).toMatchObject({ properties: { agent: { enum: ['own'] } } });
  });
});
