import { AppError, type Id, type JsonObject, newId } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, requirePermission } from '#lib/tenancy/index.ts';
import type { DeliveryView, WebhookBody, WebhookResult, WebhookSettingView, WebhookView } from './contract.ts';
import { deliverNotice } from './deliver-notice.ts';
import { newWebhookSecret } from './domain/webhook-signature.ts';
import { toDeliveryView } from './list-deliveries.ts';
import type { NotificationDependencies, Webhook } from './ports.ts';
import { webhookContext } from './webhook-context.ts';

/** So long the secret before a new one signs too. */
const EARLIER_SIGNS_MS = 24 * 3_600_000;

type Manage = NotificationDependencies;

/** The workspace's webhook, never its secret. */
export async function getWebhook({ unitOfWork, clock }: Manage, actor: Actor): Promise<WebhookSettingView> {
  requirePermission(actor, 'tenant:update');
  return unitOfWork.within(actor.scope, async ({ noticeSettings }) => {
    const webhook = await noticeSettings.findWebhook();
    return { webhook: webhook && toWebhookView(webhook, clock.now()) };
  });
}

/** Sets it. The first time a secret is made, which is in this answer alone; so it is when the address moves to another host. */
export async function setWebhook({ unitOfWork, clock, sealer }: Manage, actor: Actor, body: WebhookBody): Promise<WebhookResult> {
  requirePermission(actor, 'tenant:update');
  const now = clock.now();
  return unitOfWork.within(actor.scope, async ({ noticeSettings, audit }) => {
    const before = await noticeSettings.findWebhook();
    // Whoever held the secret for one place must not be able to sign for another.
    const isKept = before !== null && new URL(before.url).origin === new URL(body.url).origin;
    const secret = isKept ? null : newWebhookSecret();
    const kept = isKept ? { secret: before.secret, earlier: before.earlier } : null;
    const after: Webhook = {
      url: body.url,
      kinds: [...new Set(body.kinds)],
      isEnabled: body.isEnabled,
      ...(kept ?? { secret: sealer.seal(secret ?? '', webhookContext(actor.scope.tenantId)), earlier: null }),
      updatedAt: now,
    };
    await noticeSettings.putWebhook(after);
    await audit.record({
      type: 'webhook.updated',
      actor: auditedAs(actor),
      target: targetOf(actor),
      details: { before: before && describe(before), after: describe(after), hasNewSecret: secret !== null },
    });
    return { webhook: toWebhookView(after, now), secret };
  });
}

/** What is on its way to it is withdrawn when its turn comes. Where there is none, nothing happens. */
export async function deleteWebhook({ unitOfWork }: Manage, actor: Actor): Promise<void> {
  requirePermission(actor, 'tenant:update');
  await unitOfWork.within(actor.scope, async ({ noticeSettings, audit }) => {
    const known = await noticeSettings.findWebhook();
    if (!known) return;
    await noticeSettings.removeWebhook();
    await audit.record({ type: 'webhook.deleted', actor: auditedAs(actor), target: targetOf(actor), details: describe(known) });
  });
}

/** A new secret, in this answer alone; the one before signs too for a day. Throws `conflict` where there is no webhook. */
export async function rotateWebhookSecret({ unitOfWork, clock, sealer }: Manage, actor: Actor): Promise<WebhookResult> {
  requirePermission(actor, 'tenant:update');
  const now = clock.now();
  const secret = newWebhookSecret();
  return unitOfWork.within(actor.scope, async ({ noticeSettings, audit }) => {
    const known = requireWebhook(await noticeSettings.findWebhook());
    const until = new Date(now.getTime() + EARLIER_SIGNS_MS);
    const after: Webhook = {
      ...known,
      secret: sealer.seal(secret, webhookContext(actor.scope.tenantId)),
      earlier: { secret: known.secret, until },
      updatedAt: now,
    };
    await noticeSettings.putWebhook(after);
    await audit.record({
      type: 'webhook.secret-rotated',
      actor: auditedAs(actor),
      target: targetOf(actor),
      details: { earlierSignsUntil: until.toISOString() },
    });
    return { webhook: toWebhookView(after, now), secret };
  });
}

/** Sends a message that says it is a test, once and at once; what came of it is the answer, and stands in the log. Throws
 * `conflict` where there is no webhook. */
export async function testWebhook(deps: Manage, actor: Actor): Promise<DeliveryView> {
  requirePermission(actor, 'tenant:update');
  const { unitOfWork, clock } = deps;
  const { tenantId, userId } = actor.scope;
  const [noticeId, deliveryId] = [newId('notice'), newId('delivery')];
  await unitOfWork.within(actor.scope, async ({ notices, deliveries, noticeSettings, audit }) => {
    requireWebhook(await noticeSettings.findWebhook());
    await notices.add({ id: noticeId, kind: 'webhook.test', key: noticeId, userId });
    await notices.markSpread(noticeId, clock.now());
    await deliveries.add([{ id: deliveryId, noticeId, channel: 'webhook', userId: null, attemptLimit: 1, nextAttemptAt: clock.now() }]);
    await audit.record({ type: 'webhook.tested', actor: auditedAs(actor), target: targetOf(actor), details: { deliveryId } });
  });
  await deliverNotice(deps, { tenantId, deliveryId });
  const made = await unitOfWork.within(actor.scope, ({ deliveries }) => deliveries.find(deliveryId));
  if (!made) throw new AppError({ code: 'not_found', message: 'There is no such delivery.' });
  return toDeliveryView(made);
}

function targetOf(actor: Actor) {
  return { kind: 'webhook', id: actor.scope.tenantId satisfies Id<'tenant'> };
}

/** What the audit log keeps: never the secret, and of the address not what may stand in its query. */
function describe({ url, kinds, isEnabled }: Webhook): JsonObject {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}`, kinds: [...kinds], isEnabled };
}

function toWebhookView({ url, kinds, isEnabled, earlier, updatedAt }: Webhook, now: Date): WebhookView {
  const earlierSecretUntil = earlier && earlier.until > now ? earlier.until.toISOString() : null;
  return { url, kinds: [...kinds], isEnabled, earlierSecretUntil, updatedAt: updatedAt.toISOString() };
}

function requireWebhook(found: Webhook | null): Webhook {
  if (!found) throw new AppError({ code: 'conflict', message: 'There is no webhook yet. Set one first.' });
  return found;
}
