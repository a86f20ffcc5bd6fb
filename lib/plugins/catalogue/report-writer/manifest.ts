import type { LocalisedText } from '#lib/capabilities/index.ts';
import { definePlugin } from '../../domain/define-plugin.ts';
import { personalFigures, standingFigures } from '../figures/figure-capabilities.ts';
import { reportPipeline } from './pipeline.ts';

/** Read by the report alone; the planner finds them by their full names. */
const names = (id: string, title: LocalisedText) => ({
  id,
  title,
  description: { en: `${title.en} of a period, for the report writer.`, 'zh-CN': `某段时间的${title['zh-CN']}，供报告撰写使用。` },
  keywords: [title.en.toLowerCase(), title['zh-CN']],
  examples: [],
});

const capabilities = [
  personalFigures('runs', names('report.runs', { en: 'Report figures of runs', 'zh-CN': '报告用运行数据' })),
  personalFigures('calls', names('report.calls', { en: 'Report figures of calls', 'zh-CN': '报告用调用数据' })),
  personalFigures('usage', names('report.usage', { en: 'Report figures of models', 'zh-CN': '报告用模型数据' })),
  standingFigures('documents', names('report.documents', { en: 'Report figures of documents', 'zh-CN': '报告用文档数据' })),
  standingFigures('members', names('report.members', { en: 'Report figures of members', 'zh-CN': '报告用成员数据' })),
];

/** A report on the workspace's own activity, as far as the person who asks may see it. */
export const reportWriter = definePlugin({
  id: 'REPORT_WRITER',
  name: { en: 'Report writer', 'zh-CN': '报告撰写' },
  description: {
    en: 'Writes an activity report of a week, a month or any days: runs, capabilities, models, documents and members.',
    'zh-CN': '撰写一周、一月或任意时段的活动报告：运行、能力、模型、文档与成员。',
  },
  overview: {
    en: 'Say which time: “Report for last month”, “runs and documents of this week”. It sets the time beside as much time before, names what stands out, and gives tables that can be copied. What your role may not see is said to be missing. Works without a model.',
    'zh-CN':
      '说明时间即可：“上个月的报告”“本周的运行和文档”。报告会与之前同样长的时间比较，指出值得注意之处，并给出可复制的表格。你的角色看不到的部分会注明缺失。无需模型。',
  },
  publisher: 'Bailiwick',
  version: '1.0.0',
  changelog: [
    {
      version: '1.0.0',
      date: '2026-11-30',
      changes: [{ en: 'Activity reports over any days, with comparison.', 'zh-CN': '任意时段的活动报告，含对比。' }],
      permissions: ['capability:invoke', 'knowledge:read', 'member:read', 'run:read'],
    },
  ],
  kind: 'agent',
  domain: 'records',
  keywords: [
    'report',
    'weekly report',
    'monthly report',
    'activity',
    'summary',
    'statistics',
    '报告',
    '周报',
    '月报',
    '活动',
    '统计',
    '汇总',
  ],
  icon: 'report',
  permissions: [
    { permission: 'capability:invoke', why: { en: 'To call its own capabilities and echo.', 'zh-CN': '调用它自己的能力和复述。' } },
    {
      permission: 'run:read',
      why: {
        en: 'For runs, calls and models: your own, or everyone’s if your role sees them.',
        'zh-CN': '用于运行、调用与模型：你自己的，或角色允许时所有人的。',
      },
    },
    { permission: 'knowledge:read', why: { en: 'For the section on documents.', 'zh-CN': '用于文档一节。' } },
    { permission: 'member:read', why: { en: 'For the section on members.', 'zh-CN': '用于成员一节。' } },
  ],
  requiresInstall: true,
  capabilities,
  presets: [
    {
      key: 'report',
      name: { en: 'Report writer', 'zh-CN': '报告撰写' },
      description: { en: '“Report for last week”: what happened here, with tables.', 'zh-CN': '“上周的报告”：这里发生了什么，附表格。' },
      capabilityIds: [...capabilities.map(({ metadata }) => metadata.id), 'echo'],
      pipeline: reportPipeline,
    },
  ],
  agents: [],
  documents: [],
  contextContributors: [],
});
