import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { FoundPassage, PassageSearch } from './ports.ts';
import { textArgument } from './text-argument.ts';

export const knowledgeSearchMetadata: CapabilityMetadata = {
  id: 'knowledge.search',
  version: '1.0.0',
  status: 'active',
  domain: 'knowledge',
  title: { en: 'Search documents', 'zh-CN': '查阅资料' },
  description: {
    en: 'Finds the passages of this workspace’s documents that answer a question, with their sources.',
    'zh-CN': '在本空间的资料里查找能回答问题的段落，并注明出处。',
  },
  keywords: [
    'search the documents',
    'search documents',
    'documents',
    'document',
    'handbook',
    'knowledge base',
    'look up',
    'policy',
    'policies',
    'rules',
    'regulations',
    'guide',
    'according to',
    '资料',
    '文档',
    '手册',
    '查资料',
    '知识库',
    '规定',
    '规章',
    '制度',
    '政策',
    '办法',
    '指南',
    '查阅',
    '查一下',
  ],
  examples: [
    { en: 'What does the handbook say about late fees?', 'zh-CN': '手册里关于逾期罚款怎么规定？' },
    { en: 'Search the documents for “guest policy”', 'zh-CN': '在资料里查“访客规定”' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 1_000,
        description: 'The question, as asked.',
        'x-source': 'clause',
        'x-ask': { en: 'What should I look up?', 'zh-CN': '要查什么？' },
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 10,
        default: 3,
        description: 'How many passages at most.',
        'x-before': ['passages', 'results', '条结果', '段'],
      },
    },
    required: ['query'],
    additionalProperties: false,
    'x-uses-ontology': true,
  },
  requiredPermissions: ['capability:invoke', 'knowledge:read'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'outside',
  timeoutMs: 10_000,
};

export function createKnowledgeSearch(dependencies: { passages: PassageSearch }): Capability {
  return {
    metadata: knowledgeSearchMetadata,
    handler: async (args, call) => {
      const query = textArgument(args, 'query');
      const limit = typeof args['limit'] === 'number' ? args['limit'] : 3;
      let isMeaningMissed = false as boolean;
      const onMeaningMissed = () => {
        isMeaningMissed = true;
      };
      const passages = await dependencies.passages.search({ scope: call.scope, query, limit, onMeaningMissed });
      const found = passages.length === 0 ? nothingFound(query, call.locale) : passages.map((passage) => quote(passage)).join('\n\n');
      return {
        output: { query, passages: passages.map((passage) => ({ ...passage })), ...(isMeaningMissed ? { searchedBy: 'words' } : {}) },
        text: isMeaningMissed ? `${found}\n\n${BY_WORDS_ALONE[call.locale]}` : found,
      };
    },
  };
}

/** A reader who misses something should know that less was looked for than usual. */
const BY_WORDS_ALONE = {
  en: '(Searched by words alone: the embedding model could not be asked.)',
  'zh-CN': '（仅按字词检索：向量模型暂时无法使用。）',
} as const;

function nothingFound(query: string, locale: 'en' | 'zh-CN'): string {
  return locale === 'en' ? `Nothing in the documents here answers “${query}”.` : `这里的资料中没有找到与“${query}”有关的内容。`;
}

/** The lines word for word, as a quotation, under the place they come from. */
function quote(passage: FoundPassage): string {
  const place = [passage.title, passage.section].filter((part) => part !== '').join(' › ');
  return `**${place}**\n\n${passage.excerpt
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}`;
}
