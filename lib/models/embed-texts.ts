import type { AuditLog } from '#lib/audit/index.ts';
import { AppError, type Clock, isAppError, newId, type TenantScope, type UnitOfWork } from '#lib/kernel/index.ts';
import { budgetsThatHold, claimOn } from './domain/budget.ts';
import { sayRefusal, sayUnpriced } from './domain/budget-wording.ts';
import { estimateTokens } from './domain/estimate-tokens.ts';
import { ModelError } from './domain/model-error.ts';
import { costMicros, type Price } from './domain/price.ts';
import type { EmbeddingCall, EmbeddingCallStore, EmbeddingModel } from './ports.ts';

export interface EmbeddingRequest {
  /** With a person where one asks: their budgets hold too. */
  readonly scope: TenantScope;
  readonly model: EmbeddingModel;
  readonly price: Price | null;
  readonly purpose: EmbeddingCall['purpose'];
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

export interface EmbeddingDependencies {
  readonly unitOfWork: UnitOfWork<{ readonly embeddingCalls: EmbeddingCallStore; readonly audit: AuditLog }>;
  readonly clock: Clock;
}

/** Refusals are told to a job or a search, which say them on. */
const READER = { locale: 'en', timeZone: 'UTC' } as const;

/**
 * One call of an embedding model, on the record: counted from the budgets before it and corrected after it, with a row that
 * says what it was for and how it ended (requirements H-29, H-34). A process that dies meanwhile leaves it counted as it was
 * expected. Throws `budget_exceeded` before anything is sent, and `ModelError` as the model does.
 */
export async function embedTexts(
  { unitOfWork, clock }: EmbeddingDependencies,
  { scope, model, price, purpose, texts, signal }: EmbeddingRequest,
): Promise<readonly (readonly number[])[]> {
  const call: EmbeddingCall = {
    id: newId('embeddingCall'),
    spec: model.spec,
    purpose,
    textCount: texts.length,
    inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    price,
    startedAt: clock.now(),
  };
  await reserve({ unitOfWork, scope, call });
  const begunMs = performance.now();
  const close = (end: { inputTokens: number; isEstimated: boolean; outcome: string }) =>
    unitOfWork.within(scope, async ({ embeddingCalls, audit }) => {
      await embeddingCalls.close(call, { ...end, durationMs: Math.round(performance.now() - begunMs) });
      await audit.record({
        type: 'model.called',
        target: targetOf(call),
        details: { ...describe(call, end.inputTokens), outcome: end.outcome },
      });
    });
  try {
    const { vectors, inputTokens } = await model.embed({ texts, signal });
    await close({ inputTokens: inputTokens ?? call.inputTokens, isEstimated: inputTokens === null, outcome: 'ok' });
    return vectors;
  } catch (error) {
    // What a call that failed has cost nobody says; one that was refused has cost nothing.
    if (error instanceof ModelError) {
      const isRefused = error.status !== null;
      await close({ inputTokens: isRefused ? 0 : call.inputTokens, isEstimated: !isRefused, outcome: error.kind });
    }
    throw error;
  }
}

/** Throws `budget_exceeded` with an audit row of its own: what the refused transaction wrote is gone. */
async function reserve({
  unitOfWork,
  scope,
  call,
}: Pick<EmbeddingDependencies, 'unitOfWork'> & Pick<EmbeddingRequest, 'scope'> & { call: EmbeddingCall }): Promise<void> {
  try {
    await unitOfWork.within(scope, async ({ embeddingCalls }) => {
      const all = await embeddingCalls.listBudgets();
      const budgets = scope.userId ? budgetsThatHold(all, scope.userId) : all.filter(({ subject }) => subject === 'tenant');
      const expected = { inputTokens: call.inputTokens, answerTokens: 0, price: call.price };
      const claims = budgets.map((budget) => {
        const claim = claimOn(budget, expected);
        if (!claim) throw new AppError({ code: 'budget_exceeded', message: sayUnpriced(budget, call.spec.model, READER) });
        return claim;
      });
      const short = await embeddingCalls.open(call, claims);
      const budget = short && budgets.find(({ id }) => id === short.budgetId);
      if (short && budget) throw new AppError({ code: 'budget_exceeded', message: sayRefusal(budget, short, READER) });
    });
  } catch (error) {
    if (isAppError(error) && error.code === 'budget_exceeded') {
      const details = { ...describe(call, call.inputTokens), message: error.message };
      await unitOfWork.within(scope, ({ audit }) => audit.record({ type: 'budget.refused', target: targetOf(call), details }));
    }
    throw error;
  }
}

function targetOf({ spec }: EmbeddingCall) {
  return { kind: 'model', id: `${spec.provider}/${spec.model}` } as const;
}

function describe({ purpose, textCount, price }: EmbeddingCall, inputTokens: number) {
  const usage = { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0, isEstimated: true };
  const micros = costMicros(usage, price);
  const cost = price && micros !== null ? { currency: price.currency, micros } : null;
  return { scene: 'embedding', purpose, texts: textCount, tokens: inputTokens, cost };
}
