import { definePlugin } from '../../domain/define-plugin.ts';
import { qaSimCapabilities } from './capabilities.ts';
import { qaSimPipeline } from './pipeline.ts';

/** Questions about the workspace's own records, answered in four stages (requirement P-20). */
export const qaSim = definePlugin({
  id: 'QA_SIM',
  name: { en: 'QA Sim', 'zh-CN': '问数' },
  description: {
    en: 'Answers questions about this workspace’s own records: runs, capability calls, members, documents, capabilities and model usage.',
    'zh-CN': '回答与本工作区记录有关的问题：运行、能力调用、成员、文档、能力和模型用量。',
  },
  overview: {
    en: [
      'Ask in your own words, in English or Chinese: “How many runs failed this week, and which tool failed most?”',
      '',
      '1. **Intent** reads the question as a small query: what is counted, over which days, compared with what.',
      '2. **Data** reads the figures through capabilities, with your rights: nobody learns what they may not see.',
      '3. **Analyst** works the answer out and sets it against the stretch of time before.',
      '4. **Executor** writes the answer and says it.',
      '',
      'No model takes part: the same question on the same records has the same answer. A question that is not about the records is told what can be asked.',
    ].join('\n'),
    'zh-CN': [
      '用自己的话提问，中英文均可：“本周失败了多少次运行，哪个工具失败最多？”',
      '',
      '1. **意图**：把问题读成一个小查询——统计什么、哪些天、与什么比较。',
      '2. **数据**：以提问者的权限，通过能力读取数据；看不到的内容不会泄露。',
      '3. **分析**：算出结果，并与之前的同等时段比较。',
      '4. **执行**：写出答案并说出来。',
      '',
      '全程不使用模型：同样的记录、同样的问题，答案相同。与记录无关的问题，会得到可以问什么的说明。',
    ].join('\n'),
  },
  publisher: 'Bailiwick',
  version: '1.0.0',
  changelog: [
    {
      version: '1.0.0',
      date: '2026-11-30',
      changes: [
        {
          en: 'Four stages over runs, calls, members, documents, capabilities and usage, in English and Chinese.',
          'zh-CN': '四个阶段，覆盖运行、调用、成员、文档、能力与用量，支持中英文。',
        },
      ],
      permissions: ['capability:invoke', 'capability:read', 'knowledge:read', 'member:read', 'run:read'],
    },
  ],
  kind: 'agent',
  domain: 'records',
  keywords: [
    'statistics',
    'figures',
    'analytics',
    'report',
    'question answering',
    'how many',
    'failures',
    'usage',
    '统计',
    '数据',
    '问答',
    '分析',
    '问数',
    '多少',
    '失败',
    '用量',
  ],
  icon: 'chart',
  permissions: [
    { permission: 'capability:invoke', why: { en: 'To call its own capabilities and echo.', 'zh-CN': '调用它自己的能力和复述。' } },
    {
      permission: 'run:read',
      why: {
        en: 'To count runs, calls and model usage: your own, or everyone’s if your role sees them.',
        'zh-CN': '统计运行、调用和模型用量：你自己的，或角色允许时所有人的。',
      },
    },
    { permission: 'member:read', why: { en: 'To count members by role.', 'zh-CN': '按角色统计成员。' } },
    {
      permission: 'knowledge:read',
      why: { en: 'To count documents; it reads titles, not texts.', 'zh-CN': '统计文档；只读标题，不读正文。' },
    },
    { permission: 'capability:read', why: { en: 'To count the capabilities you may use.', 'zh-CN': '统计你可以使用的能力。' } },
  ],
  requiresInstall: true,
  capabilities: qaSimCapabilities,
  presets: [
    {
      key: 'qa-sim',
      name: { en: 'QA Sim', 'zh-CN': '问数' },
      description: {
        en: 'Ask about this workspace’s records: “How many runs failed this week?”',
        'zh-CN': '询问本工作区的记录：“本周失败了多少次运行？”',
      },
      capabilityIds: [...qaSimCapabilities.map(({ metadata }) => metadata.id), 'echo'],
      pipeline: qaSimPipeline,
    },
  ],
  agents: [],
  documents: [],
  contextContributors: [],
});
