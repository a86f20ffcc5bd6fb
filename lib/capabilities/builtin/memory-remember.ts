import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { FactMemory } from './ports.ts';
import { textArgument } from './text-argument.ts';

export const memoryRememberMetadata: CapabilityMetadata = {
  id: 'memory.remember',
  version: '1.0.0',
  status: 'active',
  domain: 'memory',
  title: { en: 'Remember', 'zh-CN': '记住' },
  description: {
    en: 'Keeps a fact about you for later sessions. Only you can see it.',
    'zh-CN': '为你记住一件事，以后的会话也能用；只有你自己看得到。',
  },
  keywords: [
    'remember',
    'remember that',
    'keep in mind',
    'make a note',
    'note that',
    'note down',
    'take a note',
    'jot down',
    'save this',
    "don't forget",
    'memorize',
    'memorise',
    'store that',
    '记住',
    '记一下',
    '记下',
    '记下来',
    '帮我记',
    '记着',
    '别忘了',
    '记得',
    '备忘',
    '存一下',
  ],
  examples: [
    { en: 'Remember that I am allergic to peanuts', 'zh-CN': '记住我对花生过敏' },
    { en: 'Make a note: my student number is 20250123', 'zh-CN': '帮我记一下：我的学号是 20250123' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 2_000,
        description: 'The fact, as a sentence.',
        'x-source': 'text',
        'x-ask': { en: 'What should I remember?', 'zh-CN': '要我记住什么？' },
      },
    },
    required: ['text'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke', 'memory:write'],
  sideEffect: 'write',
  idempotency: 'keyed',
  contentOrigin: 'own',
  timeoutMs: 10_000,
};

export function createMemoryRemember(dependencies: { facts: FactMemory }): Capability {
  return {
    metadata: memoryRememberMetadata,
    handler: async (args, call) => {
      const fact = await dependencies.facts.remember({
        scope: call.scope,
        text: textArgument(args, 'text').trim(),
        runId: call.runId,
        invocationId: call.invocationId,
      });
      return {
        output: { factId: fact.id, text: fact.text },
        text: call.locale === 'en' ? `I will remember: ${fact.text}` : `记住了：${fact.text}`,
      };
    },
  };
}
