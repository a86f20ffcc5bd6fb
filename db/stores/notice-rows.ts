import { z } from 'zod';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { Boundary, RunEventEntry } from '#lib/supervisor/index.ts';

const budgetPayload = z.object({
  budgetId: z.string(),
  subject: z.string(),
  measure: z.string(),
  currency: z.string().nullable(),
  period: z.string(),
  used: z.number().nullable().default(null),
  softLimit: z.number().nullable().default(null),
  hardLimit: z.number().nullable().default(null),
  endsAt: z.string().nullable().default(null),
});

const BUDGET_NOTICES: Readonly<Record<string, 'budget.soft-limit' | 'budget.refused'>> = {
  'budget-soft-limit': 'budget.soft-limit',
  'budget-refused': 'budget.refused',
};

/** A notice as the boundary's statement reads it. `keyOf` names whose id ends the key, where that is known to the statement alone. */
export interface NoticeRow {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly keyOf: 'user' | 'session' | null;
  readonly subjectId: string;
  readonly details: object | null;
}

/** What people are told of with a boundary: what waits from here on, and budgets that are reached, once a period and limit. */
export function noticesOf({ question, approvals, events }: Boundary): NoticeRow[] {
  const waiting = [
    ...(question ? [{ kind: 'question.asked', subject: question.id }] : []),
    ...(approvals ?? []).map(({ id }) => ({ kind: 'approval.requested', subject: id })),
  ];
  return [
    ...waiting.map(({ kind, subject }) => ({
      id: toUuid(newId('notice')),
      kind,
      key: subject,
      keyOf: null,
      subjectId: toUuid(subject),
      details: null,
    })),
    ...(events ?? []).flatMap(toBudgetNotice),
  ];
}

function toBudgetNotice({ type, payload }: RunEventEntry): NoticeRow[] {
  const kind = BUDGET_NOTICES[type];
  if (!kind) return [];
  const { budgetId, endsAt, ...details } = budgetPayload.parse(payload);
  const limit = kind === 'budget.refused' ? details.hardLimit : details.softLimit;
  return [
    {
      id: toUuid(newId('notice')),
      kind,
      key: [kind, budgetId, endsAt ?? 'ever', limit ?? 'unpriced', ''].join(':'),
      keyOf: details.subject === 'user' || details.subject === 'session' ? details.subject : null,
      subjectId: toUuid(budgetId as Id<'budget'>),
      details,
    },
  ];
}
