import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { definePlugin, type PluginManifest } from '#lib/plugins/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';

const same = (text: string) => ({ en: text, 'zh-CN': text });

function capability(id: string, requiredPermissions: readonly Permission[]): CapabilityMetadata {
  return {
    id,
    version: '1.0.0',
    status: 'active',
    domain: 'games',
    title: { en: 'Roll the dice', 'zh-CN': '掷骰子' },
    description: same('Rolls.'),
    keywords: ['roll'],
    examples: [],
    inputSchema: { type: 'object', properties: { label: { type: 'string' } } },
    requiredPermissions,
    sideEffect: 'read',
    idempotency: 'idempotent',
    timeoutMs: 2_000,
  };
}

/** Says which sides and key the workspace has set. */
const roll = {
  metadata: capability('dice.roll', ['capability:invoke']),
  create:
    () =>
    async (_args: object, { configuration }: { configuration: { sides?: unknown; apiKey?: unknown } }) => ({
      output: { sides: Number(configuration.sides), key: String(configuration.apiKey) },
      text: `a die of ${String(configuration.sides)} sides, key ${String(configuration.apiKey)}`,
    }),
};

/** Beyond what version 1 asked for. */
const remember = {
  metadata: capability('dice.remember', ['memory:write']),
  create: () => async () => ({ output: {}, text: 'remembered' }),
};

const DICE = {
  id: 'DICE',
  name: { en: 'Dice', 'zh-CN': '骰子' },
  description: { en: 'Rolls dice.', 'zh-CN': '掷骰子。' },
  publisher: 'Bailiwick',
  kind: 'tool',
  domain: 'games',
  keywords: ['chance', '概率'],
  icon: 'plug',
  configurationSchema: {
    type: 'object',
    properties: {
      sides: { type: 'integer', minimum: 2, default: 6 },
      apiKey: { type: 'string', writeOnly: true },
    },
    required: ['apiKey'],
  },
  requiresInstall: true,
  presets: [{ key: 'dice', name: { en: 'Dice table', 'zh-CN': '骰子桌' }, description: same('A table.') }],
  agents: [],
  documents: [{ key: 'rules', title: 'Rules of dice', language: 'en', body: '# Rules\n\nThe highest throw wins the kingdom of dice.' }],
  contextContributors: [],
} as const;

const invoke = { permission: 'capability:invoke', why: { en: 'To roll.', 'zh-CN': '为了掷骰子。' } } as const;
const first = { version: '1.0.0', date: '2026-01-01', changes: [same('First.')], permissions: ['capability:invoke'] } as const;

export const DICE_1: PluginManifest = definePlugin({
  ...DICE,
  version: '1.0.0',
  changelog: [first],
  permissions: [invoke],
  capabilities: [roll],
});

/** Asks for one right more, for a capability of its own. */
export const DICE_2: PluginManifest = definePlugin({
  ...DICE,
  version: '2.0.0',
  changelog: [
    { version: '2.0.0', date: '2026-02-01', changes: [same('Remembers.')], permissions: ['capability:invoke', 'memory:write'] },
    first,
  ],
  permissions: [invoke, { permission: 'memory:write', why: { en: 'To remember throws.', 'zh-CN': '为了记住结果。' } }],
  capabilities: [roll, remember],
});

const bare = { ...DICE, presets: [], documents: [], configurationSchema: { type: 'object', properties: {} } } as const;
const nothing = { version: '1.0.0', permissions: [], capabilities: [] } as const;

/** Needs DICE. */
export const CROUPIER: PluginManifest = definePlugin({
  ...bare,
  ...nothing,
  id: 'CROUPIER',
  name: { en: 'Croupier', 'zh-CN': '荷官' },
  changelog: [{ ...first, permissions: [] }],
  dependsOn: ['DICE'],
});

/** Puts a document in, and then says that it cannot work. */
export const LOADED: PluginManifest = definePlugin({
  ...bare,
  ...nothing,
  id: 'LOADED',
  name: { en: 'Loaded dice', 'zh-CN': '灌铅骰子' },
  changelog: [{ ...first, permissions: [] }],
  documents: [{ key: 'trick', title: 'The trick', language: 'en', body: 'Lead.' }],
  check: async () => {
    throw new Error('the dice fall on one side only');
  },
});
