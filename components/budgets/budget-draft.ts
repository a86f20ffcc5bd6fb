import { parseMicros, writeMicros } from '#components/models/price-micros.ts';
import type { BudgetView } from '#lib/models/contract.ts';

/** Somebody a budget can be for. */
export interface Person {
  value: string;
  label: string;
}

/** A budget as it is typed. */
export interface BudgetDraft {
  subject: BudgetView['subject'];
  /** '' for each person. */
  userId: string;
  measure: BudgetView['measure'];
  currency: string;
  period: BudgetView['period'];
  softLimit: string;
  hardLimit: string;
}

type BudgetField = 'currency' | 'softLimit' | 'hardLimit';
type BudgetProblem = 'amount' | 'tokens' | 'missing' | 'order' | 'currency';
export type BudgetProblems = Partial<Record<BudgetField, BudgetProblem>>;

export type ReadLimits =
  | { ok: true; limits: { softLimit: number | null; hardLimit: number | null } }
  | { ok: false; problems: BudgetProblems };

export function draftOf(budget: BudgetView | null): BudgetDraft {
  const write = (amount: number | null) => (amount === null ? '' : budget?.measure === 'money' ? writeMicros(amount) : String(amount));
  return {
    subject: budget?.subject ?? 'tenant',
    userId: budget?.person?.userId ?? '',
    measure: budget?.measure ?? 'tokens',
    currency: budget?.currency ?? 'USD',
    period: budget?.period ?? 'month',
    softLimit: write(budget?.softLimit ?? null),
    hardLimit: write(budget?.hardLimit ?? null),
  };
}

/** The limits in whole tokens or micro-units, or what is wrong with what was typed. */
export function readLimits(draft: BudgetDraft): ReadLimits {
  const wrong: BudgetProblem = draft.measure === 'money' ? 'amount' : 'tokens';
  const read = (text: string) => (text.trim() === '' ? null : draft.measure === 'money' ? parseMicros(text) : parseTokens(text));
  const [softLimit, hardLimit] = [read(draft.softLimit), read(draft.hardLimit)];
  const problems: BudgetProblems = {
    ...(isWrong(draft.softLimit, softLimit) && { softLimit: wrong }),
    ...(isWrong(draft.hardLimit, hardLimit) && { hardLimit: wrong }),
    ...(draft.measure === 'money' && !/^[A-Z]{3}$/.test(draft.currency) && { currency: 'currency' as const }),
  };
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  if (softLimit === null && hardLimit === null) return { ok: false, problems: { hardLimit: 'missing' } };
  if (softLimit !== null && hardLimit !== null && softLimit > hardLimit) return { ok: false, problems: { softLimit: 'order' } };
  return { ok: true, limits: { softLimit, hardLimit } };
}

function isWrong(text: string, amount: number | null): boolean {
  return text.trim() !== '' && (amount === null || amount < 1);
}

/** As people write numbers: with separators of thousands, or without. */
function parseTokens(text: string): number | null {
  const digits = text.trim().replaceAll(/(?<=\d)[,.' \u00a0\u202f](?=\d{3}(?!\d))/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
