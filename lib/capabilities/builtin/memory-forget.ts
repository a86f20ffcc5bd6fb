import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { FactMemory } from './ports.ts';
import { textArgument } from './text-argument.ts';

export const memoryForgetMetadata: CapabilityMetadata = {
  id: 'memory.forget',
  version: '1.0.0',
  status: 'active',
  domain: 'memory',
  title: { en: 'Forget', 'zh-CN': '忘记' },
  description: {
    en: 'Deletes what you asked to be remembered about something.',
    'zh-CN': '删除你让我记住的、关于某件事的内容。',
  },
  keywords: [
    'forget',
    'forget about',
    'forget that',
    'forget what',
    'delete the note',
    'delete what you remember',
    'remove from memory',
    'erase',
    '忘记',
    '忘掉',
    '忘了',
    '不要记',
    '别再记',
    '别记',
    '删除记忆',
    '删掉记录',
    '清除记忆',
    '删除备忘',
  ],
  examples: [
    { en: 'Forget my student number', 'zh-CN': '忘掉我的学号' },
    { en: 'Forget what I told you about peanuts', 'zh-CN': '忘记我说过的花生过敏' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'What to forget, in the words of the fact.',
        'x-source': 'text',
        'x-ask': { en: 'What should I forget?', 'zh-CN': '要忘记什么？' },
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke', 'memory:write'],
  // A person’s own facts, asked for in their own words.
  sideEffect: 'write',
  // Forgetting what is gone already changes nothing.
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 10_000,
};

export function createMemoryForget(dependencies: { facts: FactMemory }): Capability {
  return {
    metadata: memoryForgetMetadata,
    handler: async (args, call) => {
      const query = textArgument(args, 'query').trim();
      const forgotten = await dependencies.facts.forget({ scope: call.scope, query, runId: call.runId });
      const output = { query, forgotten: forgotten.map((fact) => ({ id: fact.id, text: fact.text })) };
      const list = forgotten.map((fact) => `- ${fact.text.replaceAll('\n', ' ')}`).join('\n');
      if (forgotten.length === 0) {
        return { output, text: call.locale === 'en' ? `I had nothing remembered about “${query}”.` : `我没有记住过关于“${query}”的事。` };
      }
      return { output, text: call.locale === 'en' ? `Forgotten:\n\n${list}` : `已忘记：\n\n${list}` };
    },
  };
}
