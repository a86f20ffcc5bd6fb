import { definePlugin } from '../../domain/define-plugin.ts';
import { exchangeCapability } from './exchange-capability.ts';
import { readRates } from './exchange-rates.ts';
import { moneyCapabilities } from './money-capabilities.ts';
import { projectCapabilities } from './project-capabilities.ts';

const financeCapabilities = [...moneyCapabilities, ...projectCapabilities, exchangeCapability];

/** Loans, savings, projects, currencies by the tenant's own rates, and units. */
export const financeCalculator = definePlugin({
  id: 'FINANCE_CALCULATOR',
  name: { en: 'Unit and finance calculator', 'zh-CN': '单位与理财计算器' },
  description: {
    en: 'Loan payments, compound interest, NPV and IRR, currencies by rates you enter, and units.',
    'zh-CN': '贷款月供、复利、净现值与内部收益率、按自定汇率换算货币，以及单位换算。',
  },
  overview: {
    en: 'Works without a model and without the network. Exchange rates are those that someone enters in the configuration, with their day; none are looked up, so that an answer never rests on a rate nobody saw.',
    'zh-CN': '无需模型，也不联网。汇率来自配置中人工录入的数值与日期，不会自行查询，因此答案不会基于无人核对的汇率。',
  },
  publisher: 'Bailiwick',
  version: '1.1.0',
  changelog: [
    {
      version: '1.1.0',
      date: '2026-11-30',
      changes: [
        { en: 'Currencies, by rates entered in the configuration.', 'zh-CN': '按配置中录入的汇率换算货币。' },
        { en: 'Compound interest takes a monthly deposit.', 'zh-CN': '复利计算支持每月追加。' },
      ],
      permissions: ['capability:invoke'],
    },
    {
      version: '1.0.0',
      date: '2026-11-20',
      changes: [{ en: 'Loans, compound interest, NPV and IRR.', 'zh-CN': '贷款、复利、净现值与内部收益率。' }],
      permissions: ['capability:invoke'],
    },
  ],
  kind: 'tool',
  domain: 'finance',
  keywords: [
    'loan',
    'mortgage',
    'interest',
    'NPV',
    'IRR',
    'currency',
    'exchange rate',
    'units',
    'calculator',
    '贷款',
    '月供',
    '利息',
    '复利',
    '净现值',
    '汇率',
    '货币',
    '单位',
    '计算器',
    '理财',
  ],
  icon: 'calculator',
  permissions: [
    {
      permission: 'capability:invoke',
      why: { en: 'To call its own and the general calculators.', 'zh-CN': '调用它自己和通用的计算能力。' },
    },
  ],
  configurationSchema: {
    type: 'object',
    properties: {
      base: {
        type: 'string',
        pattern: '^[A-Za-z]{3}$',
        maxLength: 3,
        'x-title': { en: 'Base currency', 'zh-CN': '本位币' },
        'x-description': { en: 'Three letters, such as CNY. Rates are in it.', 'zh-CN': '三个字母，例如 CNY。汇率以它计。' },
      },
      rates: {
        type: 'array',
        items: { type: 'string', maxLength: 40 },
        maxItems: 60,
        'x-title': { en: 'Rates', 'zh-CN': '汇率' },
        'x-description': {
          en: 'One a line: what one unit is worth in the base currency. USD=7.12',
          'zh-CN': '每行一个：一单位外币值多少本位币。USD=7.12',
        },
      },
      asOf: {
        type: 'string',
        maxLength: 40,
        'x-title': { en: 'Rates of', 'zh-CN': '汇率日期' },
        'x-description': { en: 'Shown with every result.', 'zh-CN': '随每个结果显示。' },
      },
    },
    additionalProperties: false,
  },
  requiresInstall: true,
  capabilities: financeCapabilities,
  presets: [
    {
      key: 'finance',
      name: { en: 'Unit and finance calculator', 'zh-CN': '单位与理财计算器' },
      description: { en: 'Loans, savings, projects, currencies and units.', 'zh-CN': '贷款、储蓄、项目、货币与单位。' },
      capabilityIds: [...financeCapabilities.map(({ metadata }) => metadata.id), 'units.convert', 'math.calculate'],
      agentId: 'finance',
    },
  ],
  agents: [
    {
      id: 'finance',
      title: { en: 'Finance', 'zh-CN': '理财' },
      description: 'Works out loans, savings, net present values, rates of return, currencies by entered rates, and units.',
      instructions:
        'ROLE:finance\nWork the request out with the tools; never calculate in your head. State the terms you used. Currencies go by the entered rates only: name their day. This is arithmetic, not advice.',
      tools: { ids: [...financeCapabilities.map(({ metadata }) => metadata.id), 'units.convert', 'math.calculate'] },
      limits: { maxModelCalls: 8, maxToolCalls: 16 },
    },
  ],
  documents: [],
  contextContributors: [],
  check: async (_host, { configuration }) => {
    const rates = readRates(configuration);
    if ('problem' in rates) throw new Error(`This line is no rate: ${rates.problem}. Write: USD=7.12`);
  },
});
