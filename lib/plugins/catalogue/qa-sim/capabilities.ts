import type { CapabilityHandler, CapabilityMetadata } from '#lib/capabilities/index.ts';
import type { PluginHost } from '../../domain/plugin-host.ts';
import { personalFigures, standingFigures } from '../figures/figure-capabilities.ts';

/** What the Data stage reads through: each is a capability like any other, with its own rights and records. */
export const qaSimCapabilities = [
  personalFigures('runs', {
    id: 'qa_sim.runs',
    title: { en: 'Figures of runs', 'zh-CN': '运行统计' },
    description: {
      en: 'Counts runs by outcome, person, preset and day, with their durations.',
      'zh-CN': '按结果、人员、预设和日期统计运行次数与时长。',
    },
    keywords: ['run statistics', 'figures of runs', 'number of runs', '运行统计', '运行次数'],
    examples: [{ en: 'Figures of runs from 2026-11-01', 'zh-CN': '2026年11月1日以来的运行统计' }],
  }),
  personalFigures('calls', {
    id: 'qa_sim.calls',
    title: { en: 'Figures of capability calls', 'zh-CN': '能力调用统计' },
    description: {
      en: 'Counts calls of capabilities, how many failed, why, and how long they took.',
      'zh-CN': '统计能力调用次数、失败次数、原因与耗时。',
    },
    keywords: ['call statistics', 'figures of calls', 'tool statistics', '调用统计', '工具统计'],
    examples: [{ en: 'Figures of calls since 2026-11-01', 'zh-CN': '2026年11月1日以来的调用统计' }],
  }),
  standingFigures('members', {
    id: 'qa_sim.members',
    title: { en: 'Figures of members', 'zh-CN': '成员统计' },
    description: { en: 'Counts the members of the workspace by role.', 'zh-CN': '按角色统计工作区成员。' },
    keywords: ['member statistics', 'figures of members', 'number of members', '成员统计', '成员人数'],
    examples: [{ en: 'Figures of members', 'zh-CN': '成员统计' }],
  }),
  standingFigures('documents', {
    id: 'qa_sim.documents',
    title: { en: 'Figures of documents', 'zh-CN': '文档统计' },
    description: {
      en: 'Counts the documents of the workspace, by language, and those that were added or changed.',
      'zh-CN': '统计工作区文档，按语言，以及新增和改动的数量。',
    },
    keywords: ['document statistics', 'figures of documents', 'number of documents', '文档统计', '文档数量'],
    examples: [{ en: 'Figures of documents', 'zh-CN': '文档统计' }],
  }),
  {
    metadata: {
      id: 'qa_sim.capabilities',
      version: '1.0.0',
      status: 'active',
      domain: 'records',
      title: { en: 'Figures of capabilities', 'zh-CN': '能力统计' },
      description: { en: 'Counts the capabilities that you may use, by domain.', 'zh-CN': '按领域统计你可以使用的能力。' },
      keywords: ['capability statistics', 'figures of capabilities', 'number of capabilities', '能力统计', '能力数量'],
      examples: [{ en: 'Figures of capabilities', 'zh-CN': '能力统计' }],
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      requiredPermissions: ['capability:invoke', 'capability:read'],
      sideEffect: 'read',
      idempotency: 'idempotent',
      timeoutMs: 5_000,
    } satisfies CapabilityMetadata,
    create:
      ({ listCapabilities }: PluginHost): CapabilityHandler =>
      async (_args, { scope, permissions, locale }) => {
        const visible = await listCapabilities(scope, permissions);
        const domains = new Map<string, number>();
        for (const { domain } of visible) domains.set(domain, (domains.get(domain) ?? 0) + 1);
        const byDomain = [...domains].map(([key, total]) => ({ key, total })).sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
        const text =
          locale === 'en' ? `You may use **${visible.length}** capabilities here.` : `你在这里可以使用 **${visible.length}** 项能力。`;
        return { output: { total: visible.length, byDomain, scope: 'workspace' }, text };
      },
  },
  personalFigures('usage', {
    id: 'qa_sim.usage',
    title: { en: 'Figures of model usage', 'zh-CN': '模型用量统计' },
    description: { en: 'Adds up model calls, tokens and costs, by model.', 'zh-CN': '按模型汇总模型调用、词元和费用。' },
    keywords: ['usage statistics', 'figures of usage', 'token statistics', '用量统计', '词元统计'],
    examples: [{ en: 'Figures of usage since 2026-11-01', 'zh-CN': '2026年11月1日以来的用量统计' }],
  }),
] as const;
