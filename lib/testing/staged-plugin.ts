import { definePipeline, type PipelineCall } from '#lib/graph/index.ts';
import { definePlugin } from '#lib/plugins/domain/define-plugin.ts';
import type { PluginManifest } from '#lib/plugins/index.ts';

interface StagedState {
  readonly input: string;
  readonly found: readonly string[];
}

const text = (words: string) => ({ en: words, 'zh-CN': words });

/** One call of a stage, as the message writes it: `test.effect-once label`. */
function toCall(words: string): PipelineCall {
  const [capabilityId = '', ...label] = words.trim().split(' ');
  return { capabilityId, arguments: { label: label.join(' ') }, rationale: `for ${label.join(' ')}` };
}

const stages = definePipeline<StagedState>({
  name: 'staged',
  channels: { input: 'replace', found: 'replace' },
  begin: (input) => ({ input, found: [] }),
  stages: [
    {
      id: 'read',
      title: text('Read'),
      run: async ({ input }) => ({
        state: {},
        report: {
          summary: `${input.split('|').length} calls`,
          intent: 'task',
          confidence: 0.75,
          reasons: ['the message lists them'],
        },
      }),
      next: ({ input }) => (input.includes('|') ? 'act' : 'say'),
    },
    {
      id: 'act',
      title: text('Act'),
      async run({ input }, { call }) {
        const found: string[] = [];
        for (const words of input.split('|').slice(0, -1)) {
          const result = await call(toCall(words));
          found.push(result.status === 'succeeded' ? result.text : `${result.code}: ${result.message}`);
        }
        return { state: { found }, report: { summary: `${found.length} made`, reasons: found } };
      },
    },
    {
      id: 'say',
      title: text('Say'),
      async run({ input }, { call }) {
        await call({ ...toCall(input.split('|').at(-1) ?? ''), isAnswer: true });
        return { state: {}, report: { summary: 'said', reasons: [] } };
      },
    },
  ],
});

/**
 * A plugin whose preset `staged` answers in three stages: `read` says what it is after, `act` makes the calls that the
 * message lists (`capability label | capability label`), one after the other, and `say` makes the last of them its answer.
 * Its preset `agent` has an agent too, and one capability; its preset `narrow` has the planner, with one capability.
 */
export const STAGED_PLUGIN: PluginManifest = definePlugin({
  id: 'STAGED',
  name: text('Staged'),
  description: text('Answers in stages.'),
  publisher: 'Tests',
  version: '1.0.0',
  changelog: [{ version: '1.0.0', date: '2026-11-30', changes: [text('First.')], permissions: [] }],
  kind: 'agent',
  domain: 'test',
  keywords: [],
  icon: 'beaker',
  permissions: [],
  requiresInstall: false,
  capabilities: [],
  presets: [
    {
      key: 'staged',
      name: text('Staged'),
      description: text('Answers in stages.'),
      capabilityIds: ['test.effect-once', 'test.effect-keyed', 'test.effect-read', 'test.stream'],
      pipeline: stages,
    },
    {
      key: 'agent',
      name: text('Agent'),
      description: text('An agent, and stages where there is no model.'),
      capabilityIds: ['test.effect-read'],
      pipeline: stages,
      agentId: 'staged_main',
    },
    { key: 'narrow', name: text('Narrow'), description: text('One capability.'), capabilityIds: ['test.effect-read'] },
  ],
  agents: [
    {
      id: 'staged_main',
      title: text('Main'),
      description: 'Answers under the preset.',
      instructions: 'ROLE:staged',
      tools: 'all',
      limits: { maxModelCalls: 4, maxToolCalls: 4 },
    },
    {
      id: 'staged_agent',
      title: text('Reader'),
      description: 'Reads things.',
      instructions: 'ROLE:staged_agent',
      tools: { ids: ['test.effect-read'] },
      limits: { maxModelCalls: 4, maxToolCalls: 4 },
    },
  ],
  documents: [],
  contextContributors: [
    { name: 'staged', order: 100, contribute: async () => [{ namespace: 'staged', key: 'note', value: 'kept in stages' }] },
  ],
});
