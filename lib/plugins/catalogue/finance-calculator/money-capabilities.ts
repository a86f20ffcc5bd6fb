import { cents, defineFinance, type FinanceCapability, moneyIn, numberOf, RATE } from './finance-capability.ts';
import { growSavings, planLoan } from './money-math.ts';

const YEARS = {
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 100,
  'x-source': 'number',
  'x-before': ['years', 'year', 'yr', 'yrs', '年'],
  'x-after': ['for', 'over', '期限', '分'],
  'x-ask': { en: 'Over how many years?', 'zh-CN': '期限是多少年？' },
} as const;
const TIMES_A_YEAR = [
  { name: 'yearly', times: 1 },
  { name: 'quarterly', times: 4 },
  { name: 'monthly', times: 12 },
  { name: 'daily', times: 365 },
];

/** What borrowing costs and saving brings. */
export const moneyCapabilities: readonly FinanceCapability[] = [
  defineFinance({
    id: 'finance.loan',
    title: { en: 'Loan payment', 'zh-CN': '贷款月供' },
    description: {
      en: 'The equal monthly payment of a loan, the interest in all, and what is left after each year.',
      'zh-CN': '等额本息贷款的月供、利息总额和每年余额。',
    },
    keywords: [
      'loan',
      'mortgage',
      'monthly payment',
      'repayment',
      'borrow',
      'instalment',
      '贷款',
      '房贷',
      '月供',
      '按揭',
      '还款',
      '每月还',
    ],
    examples: [
      { en: 'Monthly payment for a loan of 300,000 at 4.2% over 30 years', 'zh-CN': '贷款30万年利率4.2%分30年每月还多少' },
      { en: 'What is the mortgage payment on 250000 at 5% for 20 years?', 'zh-CN': '房贷100万利率4.9%期限20年月供多少' },
    ],
    properties: {
      principal: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 1e12,
        description: 'What is borrowed.',
        'x-source': 'number',
        'x-after': ['loan of', 'mortgage of', 'borrow', 'borrowing', 'payment on', 'on', 'principal', '贷款', '房贷', '借', '本金', '贷'],
        'x-ask': { en: 'How much is borrowed?', 'zh-CN': '贷款金额是多少？' },
      },
      annualRate: { ...RATE, description: 'Interest a year, in percent.' },
      years: { ...YEARS, description: 'How long it runs.' },
    },
    required: ['principal', 'annualRate', 'years'],
    run(args, locale) {
      const months = Math.max(1, Math.round(numberOf(args, 'years') * 12));
      const plan = planLoan({ principal: numberOf(args, 'principal'), annualRate: numberOf(args, 'annualRate') / 100, months });
      const money = moneyIn(locale);
      const head =
        locale === 'en'
          ? `**${money(plan.monthlyPayment)} a month**, ${months} times. In all ${money(plan.totalPaid)}, of which ${money(plan.totalInterest)} interest.`
          : `**每月 ${money(plan.monthlyPayment)}**，共 ${months} 期。合计 ${money(plan.totalPaid)}，其中利息 ${money(plan.totalInterest)}。`;
      const shown = plan.years.filter(({ year }) => plan.years.length <= 6 || year <= 3 || year % 5 === 0 || year === plan.years.length);
      const rows = shown.map(
        ({ year, principal, interest, balance }) => `| ${year} | ${money(principal)} | ${money(interest)} | ${money(balance)} |`,
      );
      const header = locale === 'en' ? '| Year | Repaid | Interest | Left |' : '| 年 | 本金 | 利息 | 余额 |';
      return {
        output: {
          monthlyPayment: cents(plan.monthlyPayment),
          totalPaid: cents(plan.totalPaid),
          totalInterest: cents(plan.totalInterest),
          months,
        },
        text: [head, '', header, '| ---: | ---: | ---: | ---: |', ...rows].join('\n'),
      };
    },
  }),
  defineFinance({
    id: 'finance.compound_interest',
    title: { en: 'Compound interest', 'zh-CN': '复利' },
    description: {
      en: 'What savings grow to with interest on interest, and with a deposit each month.',
      'zh-CN': '存款按复利、并可每月追加，最终增长到多少。',
    },
    keywords: [
      'compound interest',
      'savings',
      'invest',
      'grow',
      'deposit',
      'future value',
      '复利',
      '存款',
      '储蓄',
      '投资',
      '本息',
      '增长到',
    ],
    examples: [
      { en: 'Compound interest on 10,000 at 5% for 10 years', 'zh-CN': '存款1万年利率3%复利10年后有多少' },
      { en: 'What do savings of 5000 grow to at 4% for 3 years?', 'zh-CN': '投资5000年化6%复利5年能增长到多少' },
    ],
    properties: {
      principal: {
        type: 'number',
        minimum: 0,
        maximum: 1e12,
        description: 'What is there at the start.',
        'x-source': 'number',
        'x-after': ['interest on', 'savings of', 'invest', 'investing', 'deposit of', '存款', '存', '投资', '本金'],
        'x-ask': { en: 'How much is there at the start?', 'zh-CN': '本金是多少？' },
      },
      annualRate: { ...RATE, description: 'Interest a year, in percent.' },
      years: { ...YEARS, description: 'For how long.' },
      monthlyDeposit: {
        type: 'number',
        minimum: 0,
        maximum: 1e9,
        default: 0,
        description: 'Added at the end of each month.',
        'x-source': 'number',
        'x-before': ['a month', 'per month', 'monthly', 'every month', '每月'],
      },
      compounding: {
        type: 'string',
        enum: ['yearly', 'quarterly', 'monthly', 'daily'],
        default: 'yearly',
        description: 'How often interest is added.',
        'x-synonyms': {
          yearly: ['compounded yearly', 'compounded annually', '按年计息'],
          quarterly: ['compounded quarterly', '按季计息'],
          monthly: ['compounded monthly', '按月计息'],
          daily: ['compounded daily', '按日计息'],
        },
      },
    },
    required: ['principal', 'annualRate', 'years'],
    run(args, locale) {
      const grown = growSavings({
        principal: numberOf(args, 'principal'),
        annualRate: numberOf(args, 'annualRate') / 100,
        years: numberOf(args, 'years'),
        timesAYear: TIMES_A_YEAR.find(({ name }) => name === args['compounding'])?.times ?? 1,
        monthlyDeposit: numberOf(args, 'monthlyDeposit', 0),
      });
      const money = moneyIn(locale);
      return {
        output: { total: cents(grown.total), deposited: cents(grown.deposited), interest: cents(grown.interest) },
        text:
          locale === 'en'
            ? `**${money(grown.total)}**: ${money(grown.deposited)} paid in and ${money(grown.interest)} interest.`
            : `**${money(grown.total)}**：本金 ${money(grown.deposited)}，利息 ${money(grown.interest)}。`,
      };
    },
  }),
];
