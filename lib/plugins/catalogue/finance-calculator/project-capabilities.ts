import { AppError, type JsonObject } from '#lib/kernel/index.ts';
import { cents, defineFinance, type FinanceCapability, type Locale, moneyIn, numberOf, RATE } from './finance-capability.ts';
import { internalRate, presentValue } from './money-math.ts';

const FLOWS = {
  type: 'string',
  minLength: 3,
  maxLength: 2_000,
  description: 'Money at the end of periods 0, 1, 2 …, separated by commas; what is paid is negative: -1000, 500, 400.',
  'x-source': 'text',
  'x-ask': { en: 'Which cash flows, first to last? Write: -1000, 500, 400', 'zh-CN': '现金流依次是多少？写成：-1000, 500, 400' },
} as const;

/** What a series of payments is worth. */
export const projectCapabilities: readonly FinanceCapability[] = [
  defineFinance({
    id: 'finance.net_present_value',
    title: { en: 'Net present value', 'zh-CN': '净现值' },
    description: { en: 'What a series of payments is worth today, at a rate.', 'zh-CN': '按给定折现率，一组现金流今天值多少。' },
    keywords: ['npv', 'net present value', 'present value', 'discount', 'cash flows', '净现值', '现值', '折现', '现金流'],
    examples: [{ en: 'NPV at 10%: -1000, 500, 400, 300', 'zh-CN': '折现率10%的净现值：-1000, 500, 400, 300' }],
    properties: {
      annualRate: { ...RATE, description: 'The rate a period, in percent.' },
      flows: FLOWS,
    },
    required: ['annualRate', 'flows'],
    run(args, locale) {
      const value = presentValue(numberOf(args, 'annualRate') / 100, readFlows(args, locale));
      const isWorth = value >= 0;
      const verdict =
        locale === 'en'
          ? isWorth
            ? 'It earns more than the rate.'
            : 'It earns less than the rate.'
          : isWorth
            ? '收益高于该折现率。'
            : '收益低于该折现率。';
      return { output: { value: cents(value) }, text: `**${moneyIn(locale)(value)}** ${verdict}` };
    },
  }),
  defineFinance({
    id: 'finance.internal_rate',
    title: { en: 'Internal rate of return', 'zh-CN': '内部收益率' },
    description: { en: 'The rate at which a series of payments is worth nothing today.', 'zh-CN': '使一组现金流今天价值为零的收益率。' },
    keywords: ['irr', 'internal rate of return', 'rate of return', 'yield', '内部收益率', '收益率', '回报率'],
    examples: [{ en: 'IRR: -1000, 500, 400, 300', 'zh-CN': '内部收益率：-1000, 500, 400, 300' }],
    properties: {
      flows: FLOWS,
    },
    required: ['flows'],
    run(args, locale) {
      const rate = internalRate(readFlows(args, locale));
      if (rate === null)
        throw new AppError({
          code: 'capability_failed',
          message:
            locale === 'en'
              ? 'These flows have no internal rate: they need money going out and coming in.'
              : '这组现金流没有内部收益率：需要既有流出也有流入。',
        });
      const percent = Math.round(rate * 10_000) / 100;
      return { output: { percent }, text: locale === 'en' ? `**${percent}%** a period` : `每期 **${percent}%**` };
    },
  }),
];

/** Two numbers at least, from a text that holds nothing else. */
function readFlows(args: JsonObject, locale: Locale): number[] {
  const text = typeof args['flows'] === 'string' ? args['flows'] : '';
  const parts = text.split(/[,，、;；\s]+/).filter((part) => part !== '');
  const flows = parts.map((part) => Number(part.replace(/[−–]/, '-')));
  if (flows.length >= 2 && flows.length <= 120 && flows.every((flow) => Number.isFinite(flow))) return flows;
  throw new AppError({ code: 'capability_failed', message: UNREADABLE[locale] });
}

const UNREADABLE = {
  en: 'Write the cash flows as 2 to 120 numbers with commas between them: -1000, 500, 400',
  'zh-CN': '请把现金流写成 2 到 120 个用逗号隔开的数：-1000, 500, 400',
};
