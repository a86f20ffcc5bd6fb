import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import { textArgument } from './text-argument.ts';

export const echoMetadata: CapabilityMetadata = {
  id: 'echo',
  version: '1.0.0',
  status: 'active',
  domain: 'conversation',
  title: { en: 'Echo', 'zh-CN': '复述' },
  description: { en: 'Says a text back, word for word.', 'zh-CN': '把一段文字原样说一遍。' },
  keywords: [
    'echo',
    'repeat',
    'repeat after me',
    'say it back',
    'say back',
    '复述',
    '重复',
    '重复一遍',
    '回显',
    '跟我说',
    '原样返回',
    '说一遍',
  ],
  examples: [
    { en: 'Echo "good morning"', 'zh-CN': '复述“早上好”' },
    { en: 'Repeat after me: practice makes perfect', 'zh-CN': '请重复一遍：熟能生巧' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 20_000,
        description: 'The text to say back.',
        'x-source': 'text',
        'x-ask': { en: 'What should I say back?', 'zh-CN': '要我复述什么？' },
      },
    },
    required: ['text'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 5_000,
};

export function createEcho(): Capability {
  return {
    metadata: echoMetadata,
    handler: async (args) => {
      const text = textArgument(args, 'text');
      return { output: { text }, text };
    },
  };
}
