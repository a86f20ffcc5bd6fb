import type { CallAllowance, CallBudget } from '#lib/agents/index.ts';
import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type Clock, type JsonObject } from '#lib/kernel/index.ts';
import {
  answerTokensFor,
  type Budget,
  type BudgetLedger,
  type BudgetStanding,
  budgetOf,
  budgetsThatHold,
  claimOn,
  type ExpectedCall,
  type Price,
  sayRefusal,
  sayUnpriced,
} from '#lib/models/index.ts';
import type { Run } from './domain/run.ts';
import type { RunWriter } from './run-writer.ts';

export interface RunBudgetInputs {
  readonly ledger: BudgetLedger;
  /** Of the tenant; those that hold for the run are chosen from them. */
  readonly budgets: readonly Budget[];
  readonly run: Run;
  /** What the model at a place costs at an instant; null: not known. */
  readonly priceOf: (place: number, at: Date) => Price | null;
  readonly writer: RunWriter;
  readonly clock: Clock;
}

type Call = Parameters<CallBudget['reserve']>[0];

/**
 * The budgets of one run, asked before each of its model calls (requirement H-34). A refusal is on record, in the run and in
 * the audit log, before it is thrown; that a soft limit is reached is said once in the run.
 */
export class RunBudget implements CallBudget {
  readonly #inputs: RunBudgetInputs;
  readonly #budgets: readonly Budget[];
  readonly #said = new Set<string>();

  constructor(inputs: RunBudgetInputs) {
    this.#inputs = inputs;
    this.#budgets = budgetsThatHold(inputs.budgets, inputs.run.userId);
  }

  async reserve(call: Call): Promise<CallAllowance> {
    const { ledger, run, priceOf, writer, clock } = this.#inputs;
    const price = priceOf(call.place, clock.now());
    const expected: ExpectedCall = { inputTokens: call.inputTokens, answerTokens: budgetOf(call.spec).answerTokens, price };
    const claims = this.#budgets.map((budget) => claimOn(budget, expected) ?? this.#refuseUnpriced(budget, call));
    // What the calls before this one held is given back with their records.
    await writer.flush();
    // What is handed on is used by the chat that it was asked in.
    const { tenantId, userId, rootSessionId: sessionId, id: runId, epoch } = run;
    const reservation = await ledger.reserve({ scope: { tenantId, userId }, sessionId, runId, epoch, path: call.path, claims });
    if (reservation.status === 'stale') {
      throw new AppError({ code: 'stale_epoch', message: 'The run has ended, was stopped, or is driven by another process.' });
    }
    const standings = reservation.standings.flatMap((standing) => {
      const budget = this.#budgets.find(({ id }) => id === standing.budgetId);
      return budget ? [{ budget, standing }] : [];
    });
    if (reservation.status === 'refused') {
      const short = standings.find(({ standing }) => standing.held < standing.needs);
      if (short) this.#refuse(short.budget, call, { standing: short.standing, message: sayRefusal(short.budget, short.standing, run) });
    }
    const soft = standings.filter(({ standing }) => isPastSoftLimit(standing));
    for (const { budget, standing } of soft) this.#saySoftLimit(budget, standing);
    const limited = standings.filter(({ standing }) => standing.hardLimit !== null);
    const lengths = limited.map(({ budget, standing }) => answerTokensFor(budget, standing.held, expected));
    return { maxOutputTokens: lengths.length > 0 ? Math.min(...lengths) : null, isConcise: soft.length > 0 };
  }

  #saySoftLimit(budget: Budget, standing: BudgetStanding): void {
    if (this.#said.has(budget.id)) return;
    this.#said.add(budget.id);
    const { writer, clock } = this.#inputs;
    const payload = { ...describe(budget), ...figures(standing) };
    writer.defer({ events: [{ type: 'budget-soft-limit', at: clock.now(), payload }] });
  }

  #refuseUnpriced(budget: Budget, call: Call): never {
    return this.#refuse(budget, call, { standing: null, message: sayUnpriced(budget, call.spec.model, this.#inputs.run) });
  }

  #refuse(budget: Budget, call: Call, { standing, message }: { standing: BudgetStanding | null; message: string }): never {
    const { writer, run, clock } = this.#inputs;
    const details: JsonObject = { ...describe(budget), ...(standing && figures(standing)), path: call.path, agentId: call.agentId };
    const model = `${call.spec.provider}/${call.spec.model}`;
    const audit: AuditEntry = {
      type: 'budget.refused',
      target: { kind: 'budget', id: budget.id },
      runId: run.id,
      // For whom it would have been.
      actor: run.apiKeyId ? { kind: 'api-key', id: run.apiKeyId } : { kind: 'user', id: run.userId },
      details: { ...details, model, reason: message },
    };
    writer.defer({ events: [{ type: 'budget-refused', at: clock.now(), payload: { ...details, message } }], audit: [audit] });
    throw new AppError({ code: 'budget_exceeded', message, details });
  }
}

function isPastSoftLimit({ used, reserved, softLimit }: BudgetStanding): boolean {
  return softLimit !== null && used + reserved >= softLimit;
}

function describe({ id, subject, measure, currency, period }: Budget): JsonObject {
  return { budgetId: id, subject, measure, currency, period };
}

function figures({ used, reserved, softLimit, hardLimit, endsAt }: BudgetStanding): JsonObject {
  return { used, reserved, softLimit, hardLimit, endsAt: endsAt?.toISOString() ?? null };
}
