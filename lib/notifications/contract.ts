import { z } from 'zod';

/** Shapes of notifications as the API and the browser see them. */
export const noticeKind = z.enum(['approval.requested', 'question.asked', 'budget.soft-limit', 'budget.refused', 'webhook.test']);
export const chosenNoticeKind = noticeKind.exclude(['webhook.test']);

/** Of what one is told by mail. */
export const noticePreference = z.object({ approvals: z.boolean(), questions: z.boolean(), budgets: z.boolean() });
export type NoticePreference = z.infer<typeof noticePreference>;

export const notificationsView = z.object({
  /** Whether the operator has set up mail; without it nothing is sent to anybody. */
  hasMail: z.boolean(),
  /** Where one's own mail goes. */
  address: z.string(),
  preference: noticePreference,
});
export type NotificationsView = z.infer<typeof notificationsView>;

export const webhookBody = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'Use an http or https address.' })
    .max(2_000)
    .refine((url) => !new URL(url).username && !new URL(url).password, 'Leave name and password out of the address: messages are signed.'),
  /** What it is sent. */
  kinds: z.array(chosenNoticeKind).min(1, 'Choose what it is sent.').max(4),
  isEnabled: z.boolean().default(true),
});
export type WebhookBody = z.infer<typeof webhookBody>;

export const webhookView = z.object({
  url: z.string(),
  kinds: z.array(chosenNoticeKind),
  isEnabled: z.boolean(),
  /** Until when the secret before this one signs too; null: it does not. */
  earlierSecretUntil: z.string().nullable(),
  updatedAt: z.string(),
});
export type WebhookView = z.infer<typeof webhookView>;

export const webhookSettingView = z.object({ webhook: webhookView.nullable() });
export type WebhookSettingView = z.infer<typeof webhookSettingView>;

/** `secret` is there when it was made just now, and never again. */
export const webhookResult = z.object({ webhook: webhookView, secret: z.string().nullable() });
export type WebhookResult = z.infer<typeof webhookResult>;

export const deliveryState = z.enum(['PENDING', 'DELIVERED', 'WITHDRAWN', 'DEAD']);

export const deliveryView = z.object({
  id: z.string(),
  kind: noticeKind,
  channel: z.enum(['mail', 'webhook']),
  /** Whose mail it is; null for the webhook. */
  recipient: z.object({ userId: z.string(), name: z.string() }).nullable(),
  state: deliveryState,
  createdAt: z.string(),
  /** When it is tried again; null once it has ended. */
  nextAttemptAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The latest last. */
  attempts: z.array(
    z.object({ at: z.string(), ok: z.boolean(), status: z.number().nullable(), detail: z.string(), durationMs: z.number() }),
  ),
});
export type DeliveryView = z.infer<typeof deliveryView>;

export const deliveryPage = z.object({ items: z.array(deliveryView), nextCursor: z.string().nullable() });
export type DeliveryPage = z.infer<typeof deliveryPage>;

export const deliveryQuery = z.object({
  state: deliveryState.optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type DeliveryQuery = z.infer<typeof deliveryQuery>;
