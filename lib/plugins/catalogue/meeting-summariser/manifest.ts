import { definePlugin } from '../../domain/define-plugin.ts';
import type { PluginCapability } from '../../domain/manifest.ts';
import { meetingPipeline } from './pipeline.ts';
import { readMinutes } from './read-minutes.ts';
import { summariseMinutes } from './summarise-minutes.ts';
import { wordSummary } from './word-summary.ts';

const summarise: PluginCapability = {
  metadata: {
    id: 'meeting.summarise',
    version: '1.0.0',
    status: 'active',
    domain: 'meetings',
    title: { en: 'Summarise a meeting', 'zh-CN': '会议纪要' },
    description: {
      en: 'Picks key points, decisions, action items and open questions out of meeting notes, in their own words.',
      'zh-CN': '从会议记录中摘出要点、决定、行动项和待定问题，保留原话。',
    },
    keywords: [
      'summarise meeting',
      'meeting minutes',
      'minutes',
      'meeting notes',
      'action items',
      'transcript',
      '会议纪要',
      '会议记录',
      '总结会议',
      '行动项',
      '纪要',
    ],
    examples: [{ en: 'Summarise the meeting: “Ada: We agreed to ship on Friday.”', 'zh-CN': '总结会议记录：“小王：我们决定周五上线。”' }],
    inputSchema: {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 60_000,
          description: 'Notes or a transcript, one line for each thing said.',
          'x-source': 'text',
          'x-ask': { en: 'Which notes should I summarise?', 'zh-CN': '要总结哪份会议记录？' },
        },
      },
      required: ['text'],
      additionalProperties: false,
    },
    requiredPermissions: ['capability:invoke'],
    sideEffect: 'read',
    idempotency: 'idempotent',
    timeoutMs: 10_000,
  },
  create:
    () =>
    async (args, { locale, configuration }) => {
      const limit = typeof configuration['keyPoints'] === 'number' ? configuration['keyPoints'] : undefined;
      const summary = summariseMinutes(readMinutes(typeof args['text'] === 'string' ? args['text'] : ''), limit);
      const text = wordSummary(summary, locale);
      return {
        output: {
          keyPoints: [...summary.keyPoints],
          decisions: [...summary.decisions],
          actions: summary.actions.map((action) => ({ ...action })),
          openQuestions: [...summary.openQuestions],
          participants: [...summary.participants],
        },
        text: text === '' ? NOTHING[locale] : text,
      };
    },
};

const NOTHING = { en: 'There is nothing in these notes to pick out.', 'zh-CN': '这份记录里没有可摘出的内容。' };

/** Minutes out of notes, without a model: sentences are chosen, never made up. */
export const meetingSummariser = definePlugin({
  id: 'MEETING_SUMMARISER',
  name: { en: 'Meeting summariser', 'zh-CN': '会议纪要' },
  description: {
    en: 'Turns pasted notes or a transcript into key points, decisions, action items and open questions.',
    'zh-CN': '把会议记录或逐字稿整理成要点、决定、行动项和待定问题。',
  },
  overview: {
    en: 'Works without a model: it chooses sentences of your notes by what they say and how they say it, and invents nothing. Action items come with who took them and until when, as far as the notes say so. English and Chinese, also mixed.',
    'zh-CN': '无需模型：按内容和表达方式从记录中选句，不会编造。行动项在记录提到时带有负责人和期限。支持中文、英文及混合。',
  },
  publisher: 'Bailiwick',
  version: '1.1.0',
  changelog: [
    {
      version: '1.1.0',
      date: '2026-11-30',
      changes: [{ en: 'The number of key points can be set.', 'zh-CN': '可设置要点数量。' }],
      permissions: ['capability:invoke'],
    },
    {
      version: '1.0.0',
      date: '2026-11-20',
      changes: [{ en: 'Key points, decisions, action items, open questions.', 'zh-CN': '要点、决定、行动项、待定问题。' }],
      permissions: ['capability:invoke'],
    },
  ],
  kind: 'agent',
  domain: 'meetings',
  keywords: ['minutes', 'notes', 'summary', 'transcript', 'action items', 'decisions', '会议', '纪要', '记录', '总结', '行动项', '待办'],
  icon: 'meeting',
  permissions: [
    { permission: 'capability:invoke', why: { en: 'To call its own capability and echo.', 'zh-CN': '调用它自己的能力和复述。' } },
  ],
  configurationSchema: {
    type: 'object',
    properties: {
      keyPoints: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        default: 5,
        'x-title': { en: 'Key points', 'zh-CN': '要点数量' },
        'x-description': { en: 'At most this many in a summary.', 'zh-CN': '每份纪要最多列出几条。' },
      },
    },
    additionalProperties: false,
  },
  requiresInstall: true,
  capabilities: [summarise],
  presets: [
    {
      key: 'meeting-summary',
      name: { en: 'Meeting summariser', 'zh-CN': '会议纪要' },
      description: { en: 'Paste notes; get key points, decisions and action items.', 'zh-CN': '粘贴会议记录，得到要点、决定与行动项。' },
      capabilityIds: ['meeting.summarise', 'echo'],
      pipeline: meetingPipeline,
    },
  ],
  agents: [
    {
      id: 'meetings',
      title: { en: 'Meetings', 'zh-CN': '会议' },
      description: 'Summarises meeting notes: key points, decisions, action items with owners and dates, open questions.',
      instructions:
        'ROLE:meetings\nSummarise the notes of the task with the tool, then shorten or rephrase only where asked. Never add what the notes do not say.',
      tools: { ids: ['meeting.summarise', 'text.statistics'] },
      limits: { maxModelCalls: 4, maxToolCalls: 4 },
    },
  ],
  documents: [],
  contextContributors: [],
});
