import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import { textArgument } from './text-argument.ts';

export const textStatisticsMetadata: CapabilityMetadata = {
  id: 'text.statistics',
  version: '1.0.0',
  status: 'active',
  domain: 'text',
  title: { en: 'Text statistics', 'zh-CN': '文本统计' },
  description: {
    en: 'Counts the words, characters, Chinese characters, sentences and lines of a text, and how long it takes to read.',
    'zh-CN': '统计一段文字的字数、词数、汉字数、句数、行数和阅读时间。',
  },
  keywords: [
    'word count',
    'count words',
    'count the words',
    'how many words',
    'how many characters',
    'how many letters',
    'how many sentences',
    'count',
    'characters',
    'words',
    'letters',
    'sentences',
    'length of text',
    'reading time',
    'statistics',
    '字数',
    '统计',
    '字数统计',
    '多少字',
    '多少个字',
    '几个字',
    '多少个词',
    '数一下',
    '多少字符',
    '字符数',
    '多少句',
    '阅读时间',
    '数数',
  ],
  examples: [
    { en: 'How many words are in "the quick brown fox"?', 'zh-CN': '统计“床前明月光”的字数' },
    { en: 'Count the characters in: hello, world', 'zh-CN': '这段话有多少字：学而时习之，不亦说乎' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 200_000,
        description: 'The text to count.',
        'x-source': 'text',
        'x-ask': { en: 'Which text should I count?', 'zh-CN': '要统计哪段文字？' },
      },
    },
    required: ['text'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 10_000,
};

export function createTextStatistics(): Capability {
  return {
    metadata: textStatisticsMetadata,
    handler: async (args, call) => {
      const counts = countText(textArgument(args, 'text'));
      return { output: { ...counts }, text: describe(counts, call.locale) };
    },
  };
}

/** Counts of a text. `characters` are what a reader sees as one (an emoji with its modifiers is one). */
export interface TextCounts {
  readonly characters: number;
  readonly charactersWithoutSpaces: number;
  /** Words of spaced scripts; a Chinese character is not a word. */
  readonly words: number;
  readonly chineseCharacters: number;
  readonly sentences: number;
  readonly lines: number;
  readonly readingTimeSeconds: number;
}

/** 200 words a minute, or 400 Chinese characters. */
export function countText(text: string): TextCounts {
  const characters = [...GRAPHEMES.segment(text)].map((segment) => segment.segment);
  const words =
    text.match(
      /(?:(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})[\p{L}\p{N}])+(?:['’.,-](?:(?!\p{Script=Han})[\p{L}\p{N}])+)*/gu,
    )?.length ?? 0;
  const chineseCharacters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return {
    characters: characters.length,
    charactersWithoutSpaces: characters.filter((character) => character.trim() !== '').length,
    words,
    chineseCharacters,
    sentences: countSentences(text),
    lines: text === '' ? 0 : text.split(/\r\n|[\n\r\u2028\u2029]/).length,
    readingTimeSeconds: Math.ceil((words / 200 + chineseCharacters / 400) * 60),
  };
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Runs of text that end in a sentence mark, and what is left after the last one. */
function countSentences(text: string): number {
  return text.split(/[.!?](?=\s|$|["'”’)])|[。！？]|\n{2,}/u).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)).length;
}

function describe(counts: TextCounts, locale: 'en' | 'zh-CN'): string {
  const rows: [string, string, number][] = [
    ['Characters', '字符', counts.characters],
    ['Characters without spaces', '不计空格', counts.charactersWithoutSpaces],
    ['Words', '单词', counts.words],
    ['Chinese characters', '汉字', counts.chineseCharacters],
    ['Sentences', '句子', counts.sentences],
    ['Lines', '行', counts.lines],
  ];
  const lines = rows.map(([en, chinese, count]) => (locale === 'en' ? `- ${en}: **${count}**` : `- ${chinese}：**${count}**`));
  const time =
    locale === 'en'
      ? `- Reading time: **${readingTime(counts.readingTimeSeconds, 'en')}**`
      : `- 阅读时间：**${readingTime(counts.readingTimeSeconds, 'zh-CN')}**`;
  return [...lines, time].join('\n');
}

function readingTime(seconds: number, locale: 'en' | 'zh-CN'): string {
  if (seconds < 60) return locale === 'en' ? `${seconds} s` : `${seconds} 秒`;
  const minutes = Math.round(seconds / 60);
  return locale === 'en' ? `${minutes} min` : `${minutes} 分钟`;
}
