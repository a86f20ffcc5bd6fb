import type { Id } from '#lib/kernel/index.ts';

/** What somebody is told of. `webhook.test` is what the test button sends. */
export const NOTICE_KINDS = ['approval.requested', 'question.asked', 'budget.soft-limit', 'budget.refused', 'webhook.test'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Those that a webhook may choose among. */
export const CHOSEN_KINDS = ['approval.requested', 'question.asked', 'budget.soft-limit', 'budget.refused'] as const satisfies NoticeKind[];
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

/**
 * What waits, or has happened, as it may be told outside: never an argument, never a word of the conversation. What is to be
 * decided is read in the product, by whoever may.
 */
export interface Notice {
  readonly id: Id<'notice'>;
  readonly kind: NoticeKind;
  readonly createdAt: Date;
  readonly tenant: { readonly slug: string; readonly name: string };
  /** The approval, the question or the budget; null for a test. */
  readonly subjectId: Id<'approval'> | Id<'question'> | Id<'budget'> | null;
  readonly runId: Id<'run'> | null;
  readonly sessionId: Id<'session'> | null;
  /** Whose run it is, or who tests. */
  readonly person: { readonly userId: Id<'user'>; readonly name: string };
  /** Whether it still waits; what does not wait for anybody is always open. */
  readonly isOpen: boolean;
  /** Of an approval. */
  readonly call: { readonly capabilityId: string; readonly risk: string; readonly needsOther: boolean; readonly expiresAt: Date } | null;
  readonly budget: NoticedBudget | null;
}

/** How a budget stood. Amounts are tokens, or micro-units of the currency. */
export interface NoticedBudget {
  readonly subject: string;
  readonly measure: string;
  readonly currency: string | null;
  readonly period: string;
  readonly used: number | null;
  readonly softLimit: number | null;
  readonly hardLimit: number | null;
}

/** Where a notice leads its reader: what waits is in the inbox, a budget is on its page, or told of in the reader's own chat. */
export function noticePath({ kind, tenant, sessionId, person }: Notice, readerId: Id<'user'> | null): string {
  if (kind === 'approval.requested' || kind === 'question.asked') return `/${tenant.slug}/inbox`;
  if (kind === 'webhook.test') return `/${tenant.slug}/settings/notifications`;
  return sessionId && person.userId === readerId ? `/${tenant.slug}/chat/${sessionId}` : `/${tenant.slug}/settings/budgets`;
}
