import { type Id, newId } from '#lib/kernel/index.ts';
import { CHOSEN_KINDS, type Notice } from './domain/notice.ts';
import type { NotificationDependencies, Webhook } from './ports.ts';

/**
 * Decides to whom a notice goes, once: a delivery for each person and for the webhook, in one transaction with the mark that it was
 * done. A process that dies beside it leaves the notice as it was; of two at once the second finds it taken.
 */
export async function spreadNotice(
  { unitOfWork, clock, mailer, retry, mailDelayMs }: NotificationDependencies,
  { tenantId, noticeId }: { tenantId: Id<'tenant'>; noticeId: Id<'notice'> },
): Promise<void> {
  await unitOfWork.within({ tenantId }, async ({ notices, deliveries, noticeSettings }) => {
    const notice = await notices.takeUnspread(noticeId);
    if (!notice) return;
    const now = clock.now();
    const made = { noticeId, attemptLimit: retry.attempts };
    if (notice.isOpen) {
      const recipients = mailer ? await notices.listRecipients(notice) : [];
      const hasWebhook = isChosen(await noticeSettings.findWebhook(), notice);
      const mailAt = new Date(now.getTime() + mailDelayMs);
      await deliveries.add([
        ...recipients.map(({ userId }) => ({ ...made, id: newId('delivery'), channel: 'mail' as const, userId, nextAttemptAt: mailAt })),
        ...(hasWebhook ? [{ ...made, id: newId('delivery'), channel: 'webhook' as const, userId: null, nextAttemptAt: now }] : []),
      ]);
    }
    await notices.markSpread(noticeId, now);
  });
}

function isChosen(webhook: Webhook | null, { kind }: Notice): boolean {
  const chosen = CHOSEN_KINDS.find((known) => known === kind);
  return webhook !== null && webhook.isEnabled && chosen !== undefined && webhook.kinds.includes(chosen);
}
