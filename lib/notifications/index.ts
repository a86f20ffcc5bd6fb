export { deliverNotice } from './deliver-notice.ts';
export type { Notice, NoticeKind } from './domain/notice.ts';
export { listDeliveries, redeliver } from './list-deliveries.ts';
export { getNotifications, setNoticePreference } from './manage-preference.ts';
export { deleteWebhook, getWebhook, rotateWebhookSecret, setWebhook, testWebhook } from './manage-webhook.ts';
export type * from './ports.ts';
export { spreadNotice } from './spread-notice.ts';
