import { AppError, type Id } from '#lib/kernel/index.ts';
import { costMicros, type Price } from './price.ts';

/** How much of something may be used. Amounts are tokens, or micro-units of the currency. */
export interface Budget {
  readonly id: Id<'budget'>;
  /** Who shares it: everyone in the workspace together, each person, or each chat. */
  readonly subject: 'tenant' | 'user' | 'session';
  /** Of `user`: the one person it is for; null: each. */
  readonly userId: Id<'user'> | null;
  readonly measure: 'tokens' | 'money';
  /** Of `money` alone. */
  readonly currency: string | null;
  /** Days and months are those of the workspace's time zone. */
  readonly period: 'day' | 'month' | 'total';
  /** From here on answers are concise; null: never. */
  readonly softLimit: number | null;
  /** Beyond it no model is called; null: only the soft limit holds. */
  readonly hardLimit: number | null;
}

/** A model call that is about to be made, as far as it is known. */
export interface ExpectedCall {
  /** By our estimate, or by the model's tokenizer. */
  readonly inputTokens: number;
  /** What is kept free for the answer. */
  readonly answerTokens: number;
  readonly price: Price | null;
}

/** What a call takes of one budget, in its measure. */
export interface BudgetClaim {
  readonly budgetId: Id<'budget'>;
  /** With less there is no use in asking: the prompt and a short answer. */
  readonly needs: number;
  /** The prompt and as long an answer as the model may give. */
  readonly wants: number;
}

/** How a budget stands beside a call that asks for a part of it. Amounts are in its measure. */
export interface BudgetStanding {
  readonly budgetId: Id<'budget'>;
  readonly used: number;
  /** Held for other calls that are under way. */
  readonly reserved: number;
  /** Held for this one; of a call that was refused, what it could have had. */
  readonly held: number;
  readonly needs: number;
  readonly softLimit: number | null;
  readonly hardLimit: number | null;
  /** When it counts anew; null: never. */
  readonly endsAt: Date | null;
}

/** A shorter answer is no answer. */
const SHORTEST_ANSWER_TOKENS = 256;

/** Those that hold for a run of this person: one of their own stands in the place of what is set for each person. */
export function budgetsThatHold<Held extends Budget>(budgets: readonly Held[], userId: Id<'user'>): Held[] {
  const isOwn = (budget: Held) => budget.subject === 'user' && budget.userId === userId;
  const own = budgets.filter(isOwn);
  const isReplaced = ({ measure, period }: Held) => own.some((budget) => budget.measure === measure && budget.period === period);
  return budgets.filter((budget) => budget.subject !== 'user' || isOwn(budget) || (budget.userId === null && !isReplaced(budget)));
}

/** What the call takes of a budget; null where it cannot be told: money, and no price in its currency. */
export function claimOn(budget: Pick<Budget, 'id' | 'measure' | 'currency'>, call: ExpectedCall): BudgetClaim | null {
  const shortest = Math.min(SHORTEST_ANSWER_TOKENS, call.answerTokens);
  if (budget.measure === 'tokens') {
    return { budgetId: budget.id, needs: call.inputTokens + shortest, wants: call.inputTokens + call.answerTokens };
  }
  const { price } = call;
  if (!price || price.currency !== budget.currency) return null;
  return {
    budgetId: budget.id,
    needs: costAtMost(price, call.inputTokens, shortest),
    wants: costAtMost(price, call.inputTokens, call.answerTokens),
  };
}

/** How long an answer may be, in tokens, with `amount` of a budget held for the call. */
export function answerTokensFor(budget: Pick<Budget, 'measure'>, amount: number, call: ExpectedCall): number {
  if (budget.measure === 'tokens') return within(amount - call.inputTokens, call);
  const { price } = call;
  if (!price || price.outputMicros === 0) return call.answerTokens;
  const forAnswer = amount - costAtMost(price, call.inputTokens, 0);
  return within(Math.floor((forAnswer * 1_000_000) / price.outputMicros), call);
}

/** Throws `invalid_request` naming the field that is wrong. */
export function requireSoundBudget(budget: Omit<Budget, 'id'>): void {
  const { subject, userId, measure, currency, softLimit, hardLimit } = budget;
  if (softLimit === null && hardLimit === null) throw invalid('hardLimit', 'Set a limit, a soft limit, or both.');
  if (softLimit !== null && hardLimit !== null && softLimit > hardLimit) {
    throw invalid('softLimit', 'The soft limit comes before the limit: it cannot be higher.');
  }
  if (measure === 'money' && currency === null) throw invalid('currency', 'A budget of money needs a currency such as USD.');
  if (measure === 'tokens' && currency !== null) throw invalid('currency', 'Tokens have no currency.');
  if (subject !== 'user' && userId !== null) throw invalid('userId', 'Only a budget for people can be for one of them.');
}

function invalid(path: string, message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { path } });
}

/** None of the input is taken to be cached: it may have to be written to the cache first, at the higher price. */
function costAtMost(price: Price, inputTokens: number, answerTokens: number): number {
  const isWritingDearer = price.cacheWriteMicros > price.inputMicros;
  const usage = {
    inputTokens: isWritingDearer ? 0 : inputTokens,
    cacheWriteTokens: isWritingDearer ? inputTokens : 0,
    cachedInputTokens: 0,
    outputTokens: answerTokens,
    reasoningTokens: 0,
    isEstimated: true,
  };
  return costMicros(usage, price) ?? 0;
}

function within(tokens: number, { answerTokens }: ExpectedCall): number {
  return Math.max(1, Math.min(tokens, answerTokens));
}
