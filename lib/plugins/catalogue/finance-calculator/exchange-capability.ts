import { AppError, type Json, type JsonObject } from '#lib/kernel/index.ts';
import { exchange, readRates } from './exchange-rates.ts';
import { cents, defineFinance, type FinanceCapability, moneyIn, numberOf } from './finance-capability.ts';

const CURRENCY_NAMES: { readonly [code: string]: readonly string[] } = {
  USD: ['usd', 'dollar', 'dollars', 'us dollars', '美元', '美金'],
  EUR: ['eur', 'euro', 'euros', '欧元'],
  CNY: ['cny', 'rmb', 'yuan', 'renminbi', '人民币', '元'],
  GBP: ['gbp', 'pound', 'pounds', 'sterling', '英镑'],
  JPY: ['jpy', 'yen', '日元'],
  HKD: ['hkd', 'hong kong dollars', '港币', '港元'],
  KRW: ['krw', 'won', '韩元'],
  SGD: ['sgd', 'singapore dollars', '新加坡元'],
  AUD: ['aud', 'australian dollars', '澳元'],
  CAD: ['cad', 'canadian dollars', '加元'],
  CHF: ['chf', 'swiss francs', '瑞士法郎'],
};

const currency = (after: readonly string[]): JsonObject => ({
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  'x-source': 'values',
  'x-values': CURRENCY_NAMES,
  'x-after': [...after],
  'x-ask': { en: 'Which currency?', 'zh-CN': '哪种货币？' },
});

const NO_RATES = {
  en: 'No exchange rates have been entered. Someone who manages plugins can enter them in the settings of this plugin.',
  'zh-CN': '尚未录入汇率。有插件管理权限的人可以在该插件的设置里录入。',
};
const BAD_RATE = { en: 'This line of the settings is no rate (write USD=7.12)', 'zh-CN': '设置中的这一行不是汇率（请写成 USD=7.12）' };

/** Currencies, by rates that people of the tenant have entered. */
export const exchangeCapability: FinanceCapability = defineFinance({
  id: 'finance.exchange',
  title: { en: 'Currency by your rates', 'zh-CN': '按自定汇率换算' },
  description: {
    en: 'Changes an amount into another currency by the rates entered for this workspace; it looks none up.',
    'zh-CN': '按本工作区录入的汇率换算金额；不会自行查询汇率。',
  },
  keywords: ['exchange', 'currency', 'exchange rate', 'dollars', 'euros', 'yuan', '汇率', '换算', '兑换', '货币', '美元', '欧元', '人民币'],
  examples: [{ en: 'Exchange 100 USD to CNY', 'zh-CN': '把100美元兑换成人民币' }],
  properties: {
    amount: {
      type: 'number',
      minimum: 0,
      maximum: 1e15,
      description: 'How much.',
      'x-source': 'number',
      'x-after': ['exchange', 'change', 'convert', '把', '兑换'],
      'x-ask': { en: 'How much?', 'zh-CN': '金额是多少？' },
    },
    from: { ...currency(['from', '把']), description: 'Three letters: USD.' },
    to: { ...currency(['to', 'into', 'in', '成', '为', '换成', '兑换成']), description: 'Three letters: CNY.' },
  },
  required: ['amount', 'from', 'to'],
  run(args, locale, configuration) {
    const rates = readRates(configuration);
    if ('problem' in rates) throw new AppError({ code: 'capability_failed', message: `${BAD_RATE[locale]}: ${rates.problem}` });
    if (rates.rates.size < 2) throw new AppError({ code: 'capability_failed', message: NO_RATES[locale] });
    const [amount, from, to] = [numberOf(args, 'amount'), textOf(args['from']), textOf(args['to'])];
    const result = exchange(rates, amount, from, to);
    if (result === null) {
      const known = [...rates.rates.keys()].join(', ');
      const message =
        locale === 'en'
          ? `There is no rate for ${rates.rates.has(from) ? to : from}; there are rates for ${known}.`
          : `没有 ${rates.rates.has(from) ? to : from} 的汇率；已录入：${known}。`;
      throw new AppError({ code: 'capability_failed', message });
    }
    const money = moneyIn(locale);
    const asOf = rates.asOf === '' ? '' : locale === 'en' ? `, rates of ${rates.asOf}` : `，汇率日期 ${rates.asOf}`;
    return {
      output: { amount, from, to, result: cents(result), asOf: rates.asOf },
      text: `${money(amount)} ${from} = **${money(result)} ${to}**${locale === 'en' ? ` (entered rates${asOf})` : `（录入的汇率${asOf}）`}`,
    };
  },
});

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.toUpperCase() : '';
}
