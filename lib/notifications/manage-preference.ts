import { type Actor, auditedAs, requirePermission } from '#lib/tenancy/index.ts';
import type { NoticePreference, NotificationsView } from './contract.ts';
import type { NotificationDependencies } from './ports.ts';

type Preferences = Pick<NotificationDependencies, 'unitOfWork' | 'mailer'>;

/** Of what the actor is told by mail here, and where it goes. */
export async function getNotifications({ unitOfWork, mailer }: Preferences, actor: Actor): Promise<NotificationsView> {
  requirePermission(actor, 'tenant:read');
  const { userId } = actor.scope;
  return unitOfWork.within(actor.scope, async ({ noticeSettings }) => ({
    hasMail: mailer !== null,
    address: await noticeSettings.findAddress(userId),
    preference: await noticeSettings.readPreference(userId),
  }));
}

/** The actor's own choice; holds for what is on its way, too. */
export async function setNoticePreference({ unitOfWork }: Preferences, actor: Actor, after: NoticePreference): Promise<NoticePreference> {
  requirePermission(actor, 'tenant:read');
  const { userId } = actor.scope;
  return unitOfWork.within(actor.scope, async ({ noticeSettings, audit }) => {
    const before = await noticeSettings.readPreference(userId);
    await noticeSettings.writePreference(userId, after);
    await audit.record({
      type: 'notification-preference.updated',
      actor: auditedAs(actor),
      target: { kind: 'user', id: userId },
      details: { before: { ...before }, after: { ...after } },
    });
    return after;
  });
}
