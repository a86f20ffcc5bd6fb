import { z } from 'zod';
import { definePipeline, type Pipeline } from '#lib/graph/index.ts';
import { type CitablePassage, type CitedAnswer, citePassages } from './cite-passages.ts';
import { wordAnswer } from './word-answer.ts';

interface DocumentState {
  readonly input: string;
  readonly passages: readonly CitablePassage[];
  readonly cited: CitedAnswer | null;
  readonly refusal: string;
}

const found = z.object({
  passages: z.array(z.object({ documentId: z.string(), title: z.string(), section: z.string(), excerpt: z.string(), score: z.number() })),
});

/** Passages that are looked at, and sentences that are cited. */
const PASSAGE_LIMIT = 8;
const SENTENCE_LIMIT = 4;
const QUESTION_LIMIT = 1_000;

/** Search -> Evidence -> Answer, each fact with its source. */
export const documentQaPipeline: Pipeline = definePipeline<DocumentState>({
  name: 'document_qa',
  channels: { input: 'replace', passages: 'replace', cited: 'replace', refusal: 'replace' },
  begin: (input) => ({ input, passages: [], cited: null, refusal: '' }),
  stages: [
    {
      id: 'search',
      title: { en: 'Search', 'zh-CN': '检索' },
      async run({ input }, { call, locale }) {
        const query = input.trim().slice(0, QUESTION_LIMIT);
        if (query === '')
          return {
            state: { passages: [] },
            report: { summary: locale === 'en' ? 'nothing was asked' : '没有问题', intent: 'clarify', confidence: 1, reasons: [] },
          };
        const result = await call({
          capabilityId: 'knowledge.search',
          arguments: { query, limit: PASSAGE_LIMIT },
          rationale: 'passages that have words of the question',
        });
        const passages = result.status === 'succeeded' ? found.parse(result.output).passages : [];
        return {
          state: { passages, refusal: result.status === 'succeeded' ? '' : result.message },
          report: {
            summary: locale === 'en' ? `${passages.length} passages` : `${passages.length} 个段落`,
            intent: passages.length > 0 ? 'task' : 'unsupported',
            confidence: passages[0]?.score ?? (result.status === 'succeeded' ? 0.9 : 0),
            reasons:
              result.status === 'succeeded'
                ? passages.map(({ title, section }) => [title, section].filter(Boolean).join(' › '))
                : [result.message],
          },
        };
      },
    },
    {
      id: 'evidence',
      title: { en: 'Evidence', 'zh-CN': '证据' },
      async run({ input, passages }, { locale }) {
        const cited = citePassages(input, passages, SENTENCE_LIMIT);
        return {
          state: { cited },
          report: {
            summary:
              locale === 'en'
                ? `${cited.sentences.length} sentences from ${cited.sources.length} places`
                : `${cited.sources.length} 处的 ${cited.sentences.length} 句话`,
            confidence: cited.coverage,
            reasons: cited.sentences.map(({ text, source }) => `[${source}] ${text}`),
          },
        };
      },
    },
    {
      id: 'answer',
      title: { en: 'Answer', 'zh-CN': '作答' },
      async run({ cited, refusal }, { call, locale }) {
        const text = refusal === '' ? wordAnswer(cited ?? { sentences: [], sources: [], coverage: 0 }, locale) : `⚠ ${refusal}`;
        await call({ capabilityId: 'echo', arguments: { text }, rationale: 'says the answer with its sources', isAnswer: true });
        return {
          state: {},
          report: {
            summary: locale === 'en' ? `${cited?.sources.length ?? 0} sources named` : `列出 ${cited?.sources.length ?? 0} 处出处`,
            reasons: [],
          },
        };
      },
    },
  ],
});
