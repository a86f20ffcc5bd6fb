import { faultPoint, type Id } from '#lib/kernel/index.ts';
import { type AttemptOutcome, decideAfterAttempt, deliveryTransitions } from './domain/delivery.ts';
import { toMailText } from './domain/mail-words.ts';
import type { Notice } from './domain/notice.ts';
import { toWebhookMessage } from './domain/webhook-message.ts';
import type { Delivery, NotificationDependencies, Recipient, Webhook } from './ports.ts';
import { webhookContext } from './webhook-context.ts';

/** Longer than any attempt may take: whoever has not ended one by then is taken for dead. */
const LEASE_MS = 90_000;

interface Claimed {
  readonly delivery: Delivery;
  readonly notice: Notice | null;
  /** Who it goes to, as they are now; null when it must not go there any more. */
  readonly to: { readonly kind: 'mail'; readonly recipient: Recipient } | { readonly kind: 'webhook'; readonly webhook: Webhook } | null;
}

/**
 * One attempt to deliver: claimed under a lock and counted before it is made, made outside any transaction, and its outcome
 * kept. Withdrawn when the matter was decided meanwhile, or its recipient may not be told any more. A process that dies between
 * sending and keeping leaves an attempt that another makes again when its lease is over: under the same id, by which receivers
 * tell a repetition.
 */
export async function deliverNotice(
  deps: NotificationDependencies,
  { tenantId, deliveryId }: { tenantId: Id<'tenant'>; deliveryId: Id<'delivery'> },
): Promise<void> {
  const claimed = await claim(deps, tenantId, deliveryId);
  if (!claimed) return;
  const { delivery, notice, to } = claimed;
  if (!notice || !to || (!notice.isOpen && !delivery.isRepeat)) {
    await settle(deps, tenantId, { delivery, outcome: null, startedAt: deps.clock.now() });
    return;
  }
  const startedAt = deps.clock.now();
  faultPoint('notification.claimed');
  const outcome =
    to.kind === 'mail'
      ? await sendMail(deps, { tenantId, notice, delivery, to: to.recipient })
      : await post(deps, tenantId, { notice, webhook: to.webhook });
  faultPoint('notification.sent');
  await settle(deps, tenantId, { delivery, outcome, startedAt });
}

async function claim(deps: NotificationDependencies, tenantId: Id<'tenant'>, deliveryId: Id<'delivery'>): Promise<Claimed | null> {
  return deps.unitOfWork.within({ tenantId }, async ({ deliveries, notices, noticeSettings }) => {
    const delivery = await deliveries.take(deliveryId, deps.clock.now(), LEASE_MS);
    if (!delivery) return null;
    const notice = await notices.find(delivery.noticeId);
    if (!notice) return { delivery, notice, to: null };
    if (delivery.channel === 'webhook') {
      const webhook = await noticeSettings.findWebhook();
      const isOff = !webhook || (!webhook.isEnabled && !delivery.isRepeat && notice.kind !== 'webhook.test');
      return { delivery, notice, to: isOff ? null : { kind: 'webhook', webhook } };
    }
    const recipient = (await notices.listRecipients(notice)).find(({ userId }) => userId === delivery.userId);
    return { delivery, notice, to: recipient ? { kind: 'mail', recipient } : null };
  });
}

async function sendMail(
  { mailer, publicUrl, nameCapability }: NotificationDependencies,
  { tenantId, notice, delivery, to }: { tenantId: Id<'tenant'>; notice: Notice; delivery: Delivery; to: Recipient },
): Promise<AttemptOutcome> {
  if (!mailer) return { ok: false, status: null, detail: 'The operator has set up no mail.', isFinal: false, retryAfterMs: null };
  const locale = to.locale ?? 'en';
  const what = notice.call ? await nameCapability(tenantId, notice.call.capabilityId, locale) : '';
  const text = toMailText(notice, { ...to, locale }, { publicUrl, what });
  return mailer.send({ ...text, to: to.email, id: delivery.id, host: publicUrl.hostname });
}

async function post(
  { webhooks, publicUrl, sealer, clock }: NotificationDependencies,
  tenantId: Id<'tenant'>,
  { notice, webhook }: { notice: Notice; webhook: Webhook },
): Promise<AttemptOutcome> {
  const sealed = [webhook.secret, ...(webhook.earlier && webhook.earlier.until > clock.now() ? [webhook.earlier.secret] : [])];
  let secrets: string[];
  try {
    secrets = sealed.map((secret) => sealer.open(secret, webhookContext(tenantId)));
  } catch {
    const detail = 'The secret was stored under another BAILIWICK_SECRET. Make a new one.';
    return { ok: false, status: null, detail, isFinal: true, retryAfterMs: null };
  }
  return webhooks.send({ url: webhook.url, body: toWebhookMessage(notice, publicUrl), id: notice.id, secrets });
}

/** `outcome` null: it was withdrawn, and nothing was sent. */
async function settle(
  { unitOfWork, clock, retry }: NotificationDependencies,
  tenantId: Id<'tenant'>,
  { delivery, outcome, startedAt }: { delivery: Delivery; outcome: AttemptOutcome | null; startedAt: Date },
): Promise<void> {
  const at = clock.now();
  const { attemptCount: attempt, attemptLimit: limit } = delivery;
  const next = outcome
    ? decideAfterAttempt(outcome, { attempt, limit, firstWaitMs: retry.firstWaitMs, random: Math.random() })
    : ({ state: 'WITHDRAWN' } as const);
  deliveryTransitions.assert(delivery.state, next.state);
  const nextAttemptAt = next.state === 'PENDING' ? new Date(at.getTime() + next.waitMs) : null;
  const { ok, status, detail } = outcome ?? { ok: false, status: null, detail: '' };
  await unitOfWork.within({ tenantId }, async ({ deliveries, audit }) => {
    const made = outcome && { at: startedAt, ok, status, detail, durationMs: at.getTime() - startedAt.getTime() };
    const isOurs = await deliveries.settle(delivery, { state: next.state, attempt: made, nextAttemptAt, at });
    if (!isOurs || next.state !== 'DEAD') return;
    await audit.record({
      type: 'notification.undeliverable',
      target: { kind: 'notification', id: delivery.noticeId },
      actor: { kind: 'system', id: 'notifications' },
      details: { deliveryId: delivery.id, channel: delivery.channel, userId: delivery.userId, attempts: attempt, reason: detail },
    });
  });
}
