import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { FactMemory } from './ports.ts';

export const memoryRecallMetadata: CapabilityMetadata = {
  id: 'memory.recall',
  version: '1.0.0',
  status: 'active',
  domain: 'memory',
  title: { en: 'Recall', 'zh-CN': '回忆' },
  description: {
    en: 'Tells what you asked to be remembered, all of it or about one thing.',
    'zh-CN': '说出你让我记住的事，可以是全部，也可以是关于某件事的。',
  },
  keywords: [
    'recall',
    'do you remember',
    'what do you remember',
    'what do you know about me',
    'what did i tell you',
    'what did i ask you to remember',
    'remind me what',
    'remind me of',
    'my notes',
    'list my facts',
    'about me',
    'i told you',
    '还记得',
    '你记得',
    '记得什么',
    '记住了什么',
    '记得哪些',
    '我让你记',
    '我告诉过你',
    '我说过',
    '回忆',
    '我的备忘',
    '记了什么',
    '关于我',
    '你知道我',
  ],
  examples: [
    { en: 'What do you remember about me?', 'zh-CN': '你记得我的哪些事？' },
    { en: 'Do you remember my student number?', 'zh-CN': '你还记得我的学号吗？' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', maxLength: 500, description: 'What about; everything when absent.', 'x-source': 'text' },
    },
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke', 'memory:read'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 10_000,
};

export function createMemoryRecall(dependencies: { facts: FactMemory }): Capability {
  return {
    metadata: memoryRecallMetadata,
    handler: async (args, call) => {
      const query = typeof args['query'] === 'string' && args['query'].trim() !== '' ? args['query'].trim() : null;
      const facts = await dependencies.facts.recall({ scope: call.scope, query });
      const output = { query, facts: facts.map((fact) => ({ id: fact.id, text: fact.text, createdAt: fact.createdAt.toISOString() })) };
      if (facts.length > 0) {
        const heading = call.locale === 'en' ? 'You asked me to remember:' : '你让我记住的有：';
        return { output, text: `${heading}\n\n${facts.map((fact) => `- ${fact.text.replaceAll('\n', ' ')}`).join('\n')}` };
      }
      return { output, text: nothingKept(query, call.locale) };
    },
  };
}

function nothingKept(query: string | null, locale: 'en' | 'zh-CN'): string {
  if (query === null) return locale === 'en' ? 'You have not asked me to remember anything yet.' : '你还没有让我记住过什么。';
  return locale === 'en' ? `I have nothing remembered about “${query}”.` : `我没有记住关于“${query}”的事。`;
}
