import type { CitedAnswer } from './cite-passages.ts';

type Locale = 'en' | 'zh-CN';

/** Sentences with the numbers of their sources, and the sources below, as Markdown. */
export function wordAnswer({ sentences, sources }: CitedAnswer, locale: Locale): string {
  if (sentences.length === 0) return NOTHING[locale];
  const lines = sentences.map(({ text, source }) => `${sentences.length > 1 ? '- ' : ''}${plain(text)} [${source}]`);
  const cited = sources.map(
    ({ title, section }, index) =>
      `${index + 1}. ${[title, section]
        .filter((part) => part !== '')
        .map(plain)
        .join(' › ')}`,
  );
  return [...lines, '', `**${SOURCES[locale]}**`, '', ...cited].join('\n');
}

/** Documents are data: nothing in them is formatting, and no link of theirs becomes one of ours. */
function plain(text: string): string {
  return text.replace(/[\\`*_~[\]<>#]/g, '\\$&').replace(/\s+/g, ' ');
}

const NOTHING = {
  en: 'The documents of this workspace do not answer that. You can add one under Knowledge, or ask in other words.',
  'zh-CN': '本工作区的文档没有回答这个问题。可以在“知识”中添加文档，或换一种说法提问。',
};
const SOURCES = { en: 'Sources', 'zh-CN': '出处' };
