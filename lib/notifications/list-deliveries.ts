import { AppError, type Id } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, readCursor, requirePermission, toPage } from '#lib/tenancy/index.ts';
import type { DeliveryPage, DeliveryQuery, DeliveryView } from './contract.ts';
import { deliveryTransitions } from './domain/delivery.ts';
import type { ListedDelivery, NotificationDependencies } from './ports.ts';

type Reading = Pick<NotificationDependencies, 'unitOfWork'>;

/** What was sent, newest first, with every attempt. */
export async function listDeliveries({ unitOfWork }: Reading, actor: Actor, query: DeliveryQuery): Promise<DeliveryPage> {
  requirePermission(actor, 'tenant:update');
  const before = readCursor('delivery', query.cursor);
  const { limit, state = null } = query;
  const rows = await unitOfWork.within(actor.scope, ({ deliveries }) => deliveries.list({ before, state, limit: limit + 1 }));
  return toPage(rows, { limit, cursorOf: ({ id }) => id, view: toDeliveryView });
}

/** Has a delivery that has ended made again, whatever was decided meanwhile. Throws `not_found`; `conflict` while it is under way. */
export async function redeliver(
  { unitOfWork, clock, retry }: Pick<NotificationDependencies, 'unitOfWork' | 'clock' | 'retry'>,
  actor: Actor,
  id: Id<'delivery'>,
): Promise<DeliveryView> {
  requirePermission(actor, 'tenant:update');
  return unitOfWork.within(actor.scope, async ({ deliveries, audit }) => {
    const known = requireDelivery(await deliveries.find(id));
    if (known.state === 'PENDING') throw new AppError({ code: 'conflict', message: 'This is on its way already.' });
    deliveryTransitions.assert(known.state, 'PENDING');
    await deliveries.repeat(id, clock.now(), retry.attempts);
    await audit.record({
      type: 'notification.redelivered',
      actor: auditedAs(actor),
      target: { kind: 'notification', id: known.noticeId },
      details: { deliveryId: id, channel: known.channel, userId: known.userId, was: known.state },
    });
    return toDeliveryView(requireDelivery(await deliveries.find(id)));
  });
}

export function toDeliveryView(delivery: ListedDelivery): DeliveryView {
  const { id, kind, channel, userId, recipientName, state, createdAt, nextAttemptAt, endedAt, attempts } = delivery;
  return {
    id,
    kind,
    channel,
    recipient: userId && { userId, name: recipientName ?? '' },
    state,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: state === 'PENDING' ? nextAttemptAt.toISOString() : null,
    endedAt: endedAt?.toISOString() ?? null,
    attempts: attempts.map(({ at, ok, status, detail, durationMs }) => ({ at: at.toISOString(), ok, status, detail, durationMs })),
  };
}

function requireDelivery(found: ListedDelivery | null): ListedDelivery {
  if (!found) throw new AppError({ code: 'not_found', message: 'There is no such delivery.' });
  return found;
}
