import { definePlugin } from '../../domain/define-plugin.ts';
import { parallelTasksPipeline } from './pipeline.ts';

/** Several requests in one message, worked on beside each other by runs of their own. */
export const parallelTasks = definePlugin({
  id: 'PARALLEL_TASKS',
  name: { en: 'Parallel tasks', 'zh-CN': '并行任务' },
  description: {
    en: 'Works on several requests at the same time, each in a run of its own, and gathers the answers.',
    'zh-CN': '同时处理多项请求，每项请求单独运行，最后汇总答案。',
  },
  overview: {
    en: 'Write one task a line. Each becomes a run of its own, with its own plan, calls and approvals, linked from the run that handed it on. Stop that run, and its tasks stop with it. Works without a model.',
    'zh-CN':
      '每行写一项任务。每项任务都成为一次独立的运行，有自己的计划、调用与审批，并与分派它的运行相互链接。停止分派的运行，其任务也随之停止。无需模型。',
  },
  publisher: 'Bailiwick',
  version: '1.0.0',
  changelog: [
    {
      version: '1.0.0',
      date: '2026-11-30',
      changes: [{ en: 'Up to eight tasks a message.', 'zh-CN': '每条消息最多八项任务。' }],
      permissions: ['capability:invoke', 'conversation:write'],
    },
  ],
  kind: 'agent',
  domain: 'agents',
  keywords: ['tasks', 'parallel', 'batch', 'coordinator', 'several requests', '任务', '并行', '批量', '多项请求', '分派'],
  icon: 'report',
  permissions: [
    { permission: 'capability:invoke', why: { en: 'To hand the tasks on.', 'zh-CN': '用于分派任务。' } },
    { permission: 'conversation:write', why: { en: 'Each task is a session of yours.', 'zh-CN': '每项任务都是你的一个会话。' } },
  ],
  requiresInstall: true,
  capabilities: [],
  presets: [
    {
      key: 'parallel-tasks',
      name: { en: 'Parallel tasks', 'zh-CN': '并行任务' },
      description: { en: 'One task a line: all are worked on at the same time.', 'zh-CN': '每行一项任务，同时执行。' },
      capabilityIds: ['agents.delegate', 'echo'],
      pipeline: parallelTasksPipeline,
    },
  ],
  agents: [],
  documents: [],
  contextContributors: [],
});
