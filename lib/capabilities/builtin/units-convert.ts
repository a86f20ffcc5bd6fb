import { AppError } from '#lib/kernel/index.ts';
import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { UnitConverter } from './ports.ts';
import { textArgument } from './text-argument.ts';
import { UNIT_NAMES } from './unit-names.ts';

const WORDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(UNIT_NAMES).map(([unit, { words }]) => [unit, words]),
);

export const unitsConvertMetadata: CapabilityMetadata = {
  id: 'units.convert',
  version: '1.0.0',
  status: 'active',
  domain: 'units',
  title: { en: 'Unit conversion', 'zh-CN': '单位换算' },
  description: {
    en: 'Converts lengths, weights, volumes, areas, temperatures, speeds and other measures.',
    'zh-CN': '换算长度、重量、体积、面积、温度、速度等单位。',
  },
  keywords: [
    'convert',
    'conversion',
    'unit',
    'units',
    'how many',
    'in metric',
    'in imperial',
    '换算',
    '单位换算',
    '单位',
    '换成',
    '换算成',
    '转换成',
    '合多少',
  ],
  examples: [
    { en: 'Convert 5 miles to kilometres', 'zh-CN': '5 英里是多少公里？' },
    { en: '100 °F in Celsius', 'zh-CN': '100 华氏度等于多少摄氏度？' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      value: { type: 'number', default: 1, description: 'The amount.', 'x-ask': { en: 'How much?', 'zh-CN': '数值是多少？' } },
      from: {
        type: 'string',
        enum: Object.keys(UNIT_NAMES),
        description: 'The unit of the amount.',
        'x-synonyms': WORDS,
        'x-near': 'value',
        'x-after': ['from', 'in a', 'in an', 'in one', '从', '把', '每', '一'],
        'x-ask': { en: 'From which unit?', 'zh-CN': '从哪个单位换算？' },
      },
      to: {
        type: 'string',
        enum: Object.keys(UNIT_NAMES),
        description: 'The unit wanted.',
        'x-synonyms': WORDS,
        'x-after': [
          'to',
          'into',
          'in',
          'as',
          'how many',
          'how much',
          '到',
          '成',
          '换成',
          '换算成',
          '换算为',
          '转换成',
          '转成',
          '等于多少',
          '是多少',
          '有多少',
          '合多少',
          '多少',
          '等于几',
          '是几',
          '几',
        ],
        'x-ask': { en: 'To which unit?', 'zh-CN': '换算成哪个单位？' },
      },
    },
    required: ['from', 'to'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 5_000,
};

export function createUnitsConvert(dependencies: { converter: UnitConverter }): Capability {
  return {
    metadata: unitsConvertMetadata,
    handler: async (args, call) => {
      const [from, to] = [textArgument(args, 'from'), textArgument(args, 'to')];
      const value = typeof args['value'] === 'number' ? args['value'] : 1;
      const result = await dependencies.converter.convert({ value, from, to });
      if (result === null)
        throw new AppError({ code: 'capability_failed', message: explainMismatch(from, to, call.locale), details: { from, to } });
      const shown = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 });
      const [source, target] = [unitLabel(from, call.locale), unitLabel(to, call.locale)];
      return {
        output: { value, from, to, result },
        text: `${shown.format(value)} ${inNumber(source, value)} = **${shown.format(result)} ${inNumber(target, result)}**`,
      };
    },
  };
}

function explainMismatch(from: string, to: string, locale: 'en' | 'zh-CN'): string {
  const [source, target] = [unitLabel(from, locale), unitLabel(to, locale)];
  return locale === 'en'
    ? `${source} and ${target} measure different things, so one cannot be turned into the other.`
    : `${source}和${target}衡量的不是同一种量，无法换算。`;
}

function unitLabel(unit: string, locale: 'en' | 'zh-CN'): string {
  const words = UNIT_NAMES[unit]?.words ?? [unit];
  return (locale === 'en' ? words[0] : words.at(-1)) ?? unit;
}

/** "1 mile", "2 miles"; Chinese names have one form. */
function inNumber(label: string, amount: number): string {
  if (amount !== 1) return label;
  if (label.startsWith('degrees ')) return label.replace('degrees', 'degree');
  return label
    .replace(/\bfeet\b/, 'foot')
    .replace(/\binches\b/, 'inch')
    .replace(/([^s])s(?= per |$)/, '$1');
}
