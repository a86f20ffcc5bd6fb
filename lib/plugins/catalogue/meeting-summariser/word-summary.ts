import type { MinutesSummary } from './summarise-minutes.ts';

type Locale = 'en' | 'zh-CN';

/** The summary as Markdown, in the language of the request; what was said stays in its own words. */
export function wordSummary(summary: MinutesSummary, locale: Locale): string {
  const words = WORDS[locale];
  const sections = [
    list(words.keyPoints, summary.keyPoints),
    list(words.decisions, summary.decisions),
    actionTable(summary, locale),
    list(words.openQuestions, summary.openQuestions),
    summary.participants.length === 0 ? '' : `**${words.participants}**${words.colon}${summary.participants.map(plain).join(words.comma)}`,
  ].filter((section) => section !== '');
  return sections.join('\n\n');
}

function list(title: string, texts: readonly string[]): string {
  return texts.length === 0 ? '' : [`**${title}**`, '', ...texts.map((text) => `- ${plain(text)}`)].join('\n');
}

function actionTable({ actions }: MinutesSummary, locale: Locale): string {
  if (actions.length === 0) return '';
  const words = WORDS[locale];
  return [
    `**${words.actions}**`,
    '',
    `| ${words.task} | ${words.owner} | ${words.due} |`,
    '| --- | --- | --- |',
    ...actions.map(({ task, owner, due }) => `| ${cell(task)} | ${cell(owner)} | ${cell(due)} |`),
  ].join('\n');
}

function cell(text: string | null): string {
  return text === null ? '—' : plain(text).replaceAll('|', '\\|');
}

/** Notes are data: nothing in them is formatting. */
function plain(text: string): string {
  return text.replace(/[\\`*_~[\]<>#]/g, '\\$&').replace(/\s+/g, ' ');
}

const WORDS = {
  en: {
    keyPoints: 'Key points',
    decisions: 'Decisions',
    actions: 'Action items',
    openQuestions: 'Open questions',
    participants: 'Participants',
    task: 'What',
    owner: 'Who',
    due: 'By when',
    comma: ', ',
    colon: ': ',
  },
  'zh-CN': {
    keyPoints: '要点',
    decisions: '决定',
    actions: '行动项',
    openQuestions: '待定问题',
    participants: '参会人',
    task: '事项',
    owner: '负责人',
    due: '期限',
    comma: '、',
    colon: '：',
  },
};
