import { describe, expect, it } from 'vitest';
import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { compareVersions, definePlugin } from './define-plugin.ts';
import type { PluginManifest } from './manifest.ts';

const capability: CapabilityMetadata = {
  id: 'dice.roll',
  version: '1.0.0',
  status: 'active',
  domain: 'games',
  title: { en: 'Roll', 'zh-CN': '掷骰子' },
  description: { en: 'Rolls a die.', 'zh-CN': '掷一次骰子。' },
  keywords: ['roll'],
  examples: [],
  inputSchema: { type: 'object', properties: {} },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  timeoutMs: 1_000,
};

const sound: PluginManifest = {
  id: 'DICE',
  name: { en: 'Dice', 'zh-CN': '骰子' },
  description: { en: 'Rolls dice.', 'zh-CN': '掷骰子。' },
  publisher: 'Bailiwick',
  version: '1.1.0',
  changelog: [
    { version: '1.1.0', date: '2026-02-01', changes: [], permissions: ['capability:invoke'] },
    { version: '1.0.0', date: '2026-01-01', changes: [], permissions: [] },
  ],
  kind: 'tool',
  domain: 'games',
  keywords: ['dice', '骰子'],
  icon: 'plug',
  permissions: [{ permission: 'capability:invoke', why: { en: 'To roll.', 'zh-CN': '为了掷骰子。' } }],
  requiresInstall: true,
  capabilities: [{ metadata: capability, create: () => async () => ({ output: {}, text: '' }) }],
  presets: [{ key: 'dice', name: { en: 'Dice', 'zh-CN': '骰子' }, description: { en: 'Dice.', 'zh-CN': '骰子。' } }],
  agents: [],
  documents: [],
  contextContributors: [],
};

describe('definePlugin', () => {
  it('takes a manifest that holds together', () => {
    expect(definePlugin(sound)).toEqual(sound);
  });

  it.each([
    ['an id in lower case', { id: 'dice' }, /its id/],
    ['a version that is none', { version: '1.1' }, /no semantic version/],
    ['a changelog that begins with another version', { version: '1.2.0' }, /does not begin with its version/],
    [
      'a changelog out of order',
      { changelog: [...sound.changelog.slice(0, 1), { ...sound.changelog[0], version: '1.9.0' }] },
      /stands before/,
    ],
    ['a capability that needs more than was declared', { permissions: [] }, /dice\.roll needs capability:invoke/],
    ['a release with other permissions', { changelog: [{ ...sound.changelog[0], permissions: [] }] }, /newest release/],
    ['a capability twice', { capabilities: [...sound.capabilities, ...sound.capabilities] }, /dice\.roll stands twice/],
    ['a preset of an unknown agent', { presets: [{ ...sound.presets[0], agentId: 'nobody' }] }, /unknown agent nobody/],
    [
      'a contributor before the platform’s own',
      { contextContributors: [{ name: 'early', order: 1, contribute: async () => [] }] },
      /below 100/,
    ],
    ['settings for what is never installed', { requiresInstall: false, configurationSchema: { type: 'object' } }, /cannot be configured/],
  ])('refuses %s', (_case, change, problem) => {
    expect(() => definePlugin({ ...sound, ...change } as PluginManifest)).toThrow(problem);
  });

  it('tells which version is the older', () => {
    expect(compareVersions('1.2.0', '1.10.0')).toBeLessThan(0);
    expect(compareVersions('2.0.0', '1.10.9')).toBeGreaterThan(0);
    expect(compareVersions('1.0.0', '1.0.0')).toBe(0);
  });
});
