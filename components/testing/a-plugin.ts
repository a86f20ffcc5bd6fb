import type { PluginOperationView, PluginView } from '#lib/plugins/contract.ts';

const same = (text: string) => ({ en: text, 'zh-CN': text });

/** A plugin that is not installed, asks for one permission and needs a key. */
export const A_PLUGIN: PluginView = {
  id: 'DICE',
  name: same('Dice'),
  description: same('Rolls dice.'),
  overview: same('Rolls dice.'),
  publisher: 'Bailiwick',
  version: '1.0.0',
  installedVersion: null,
  kind: 'tool',
  domain: 'games',
  icon: 'plug',
  state: 'available',
  permissions: [{ permission: 'capability:invoke', why: same('To roll.'), isConsented: false }],
  needs: null,
  keywords: [],
  changelog: [],
  dependsOn: [],
  capabilities: [],
  presets: [],
  agents: [],
  documents: [],
  configurationSchema: {
    type: 'object',
    properties: { sides: { type: 'integer', default: 6, title: 'Sides' }, key: { type: 'string', writeOnly: true, title: 'Key' } },
    required: ['key'],
  },
  configuration: { values: {}, secretHints: {} },
  missingSettings: [],
  snapshots: [],
  install: null,
  operation: null,
  dependents: { sessions: [], openRuns: 0, plugins: [], documents: 0 },
  ownRequest: null,
};

export function anOperation(changes: Partial<PluginOperationView> = {}): PluginOperationView {
  return {
    id: 'plo_1',
    pluginId: 'DICE',
    kind: 'install',
    state: 'RUNNING',
    version: '1.0.0',
    stages: [
      { stage: 'verify', state: 'done', at: '2026-01-01T12:00:00Z' },
      { stage: 'configure', state: 'running', at: null },
      { stage: 'knowledge', state: 'waiting', at: null },
      { stage: 'check', state: 'waiting', at: null },
      { stage: 'activate', state: 'waiting', at: null },
    ],
    error: null,
    createdAt: '2026-01-01T12:00:00Z',
    endedAt: null,
    ...changes,
  };
}
