import type { Budget, BudgetStanding } from './budget.ts';

type Reader = { readonly locale: 'en' | 'zh-CN'; readonly timeZone: string };

/** Why a model is not called, for the person who asked: which limit, how much of it is used, and what comes next. */
export function sayRefusal(budget: Budget, standing: BudgetStanding, reader: Reader): string {
  const say = WORDS[reader.locale];
  const limit = sayAmount(budget, standing.hardLimit ?? 0, reader.locale);
  const used = sayAmount(budget, standing.used, reader.locale);
  const held = standing.reserved > 0 ? say.held(sayAmount(budget, standing.reserved, reader.locale)) : '';
  const anew = standing.endsAt === null ? '' : say.anew(sayMoment(standing.endsAt, reader));
  return [say.exceeded({ who: say.subject[budget.subject], used, held, limit, period: say.period[budget.period] }), anew, say.ask]
    .filter(Boolean)
    .join(say.gap);
}

/** Why a model is not called whose calls cannot be counted in money. */
export function sayUnpriced(budget: Budget, model: string, { locale }: Reader): string {
  return WORDS[locale].unpriced({ model, currency: budget.currency ?? '' });
}

export function sayAmount({ measure, currency }: Pick<Budget, 'measure' | 'currency'>, amount: number, locale: 'en' | 'zh-CN'): string {
  if (measure === 'tokens') return WORDS[locale].tokens(new Intl.NumberFormat(locale).format(amount));
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: currency ?? 'USD', maximumFractionDigits: 4 });
  return money.format(amount / 1_000_000);
}

function sayMoment(at: Date, { locale, timeZone }: Reader): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);
}

interface Exceeded {
  readonly who: string;
  readonly used: string;
  readonly held: string;
  readonly limit: string;
  readonly period: string;
}

const WORDS = {
  en: {
    subject: { tenant: 'this workspace', user: 'this person', session: 'this chat' },
    period: { day: 'today', month: 'this month', total: 'in all' },
    tokens: (count: string) => `${count} tokens`,
    held: (amount: string) => ` and holds ${amount} for calls that are under way`,
    exceeded: ({ who, used, held, limit, period }: Exceeded) =>
      `budget exceeded: ${who} has used ${used}${held} of ${limit} ${period}, and what is left is not enough for this call.`,
    anew: (moment: string) => `It counts anew from ${moment}.`,
    ask: 'Who manages budgets can raise the limit under Settings > Budgets.',
    unpriced: ({ model, currency }: { model: string; currency: string }) =>
      `budget exceeded: there is a budget in ${currency}, and no price in ${currency} for ${model}, so its calls cannot be counted. Who manages models can set one under Settings > Models.`,
    gap: ' ',
  },
  'zh-CN': {
    subject: { tenant: '本工作区', user: '此成员', session: '此会话' },
    period: { day: '今天', month: '本月', total: '累计' },
    tokens: (count: string) => `${count} 个 token`,
    held: (amount: string) => `（另有 ${amount} 预留给正在进行的调用）`,
    exceeded: ({ who, used, held, limit, period }: Exceeded) =>
      `超出预算：${who}${period}已用 ${used}${held}，上限 ${limit}，余量不足以完成此次调用。`,
    anew: (moment: string) => `将于 ${moment} 重新计算。`,
    ask: '预算管理者可在“设置 > 预算”中提高上限。',
    unpriced: ({ model, currency }: { model: string; currency: string }) =>
      `超出预算：已设有 ${currency} 预算，但 ${model} 没有 ${currency} 价格，无法计入其调用。模型管理者可在“设置 > 模型”中设定价格。`,
    gap: '',
  },
} as const;
