import { openSql } from '#db/client.ts';
import { createNoticeQueue } from '#db/notice-queue.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { type Config, createSecretBox } from '#lib/config/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import { createSmtpMailer } from '#lib/notifications/adapters/smtp-mailer.ts';
import { createWebhookSender } from '#lib/notifications/adapters/webhook-sender.ts';
import {
  deleteWebhook,
  deliverNotice,
  getNotifications,
  getWebhook,
  listDeliveries,
  type NotificationDependencies,
  redeliver,
  rotateWebhookSecret,
  setNoticePreference,
  setWebhook,
  spreadNotice,
  testWebhook,
} from '#lib/notifications/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import { log } from '#lib/telemetry/index.ts';

/** How often a process looks for what is to be told. */
const LOOK_MS = 1_000;
const PRUNE_MS = 3_600_000;
/** How long notices and their deliveries are kept. */
const KEPT_MS = 30 * 86_400_000;
/** Deliveries that one process makes at once. */
const AT_ONCE = 8;
const SPREAD_AT_ONCE = 50;

/**
 * What people are told of, by mail and webhook, in the background of whichever processes drive runs. What is to be told is in the
 * database: a process that is killed leaves it there, and another carries it on.
 */
export function composeNotifications(parts: {
  config: Config;
  clock: Clock;
  unitOfWork: UnitOfWork<TenantStores>;
  fetch: GuardedFetch;
  nameCapability: NotificationDependencies['nameCapability'];
}) {
  const { config, clock, unitOfWork, fetch, nameCapability } = parts;
  const sql = openSql({ databaseUrl: config.databaseUrl, role: 'bailiwick_platform', max: 1, name: 'notifications' });
  const queue = createNoticeQueue(sql);
  const mailer = config.mail && createSmtpMailer(config.mail);
  const deps: NotificationDependencies = {
    unitOfWork,
    clock,
    sealer: createSecretBox(config.secret),
    mailer,
    webhooks: createWebhookSender({ guardedFetch: fetch, clock }),
    publicUrl: config.publicUrl,
    retry: { attempts: config.notificationAttempts, firstWaitMs: config.notificationRetryMs },
    mailDelayMs: config.mailDelayMs,
    nameCapability,
  };
  const underWay = new Map<string, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let isStopped = false;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isStopped || isLooking) return;
    isLooking = true;
    try {
      for (const unspread of await queue.listUnspread(SPREAD_AT_ONCE)) {
        // One that cannot be spread must not keep the others waiting.
        await spreadNotice(deps, unspread).catch((error: unknown) =>
          log.warn({ noticeId: unspread.noticeId, err: error }, 'a notice could not be spread; it is tried again'),
        );
      }
      if (underWay.size >= AT_ONCE) return;
      for (const due of await queue.listDue(clock.now(), AT_ONCE * 2)) {
        if (underWay.size >= AT_ONCE || underWay.has(due.deliveryId)) continue;
        const delivering = deliverNotice(deps, due)
          .catch((error: unknown) =>
            log.warn({ deliveryId: due.deliveryId, err: error }, 'a notification was interrupted; it is tried again'),
          )
          .finally(() => underWay.delete(due.deliveryId));
        underWay.set(due.deliveryId, delivering);
      }
    } finally {
      isLooking = false;
    }
  }
  const every = (intervalMs: number, job: () => Promise<unknown>) =>
    timers.push(
      setInterval(() => {
        job().catch((error: unknown) => log.warn({ err: error }, 'a background job of notifications failed'));
      }, intervalMs),
    );

  return {
    useCases: {
      getNotifications: getNotifications.bind(null, deps),
      setNoticePreference: setNoticePreference.bind(null, deps),
      getWebhook: getWebhook.bind(null, deps),
      setWebhook: setWebhook.bind(null, deps),
      deleteWebhook: deleteWebhook.bind(null, deps),
      rotateWebhookSecret: rotateWebhookSecret.bind(null, deps),
      testWebhook: testWebhook.bind(null, deps),
      listDeliveries: listDeliveries.bind(null, deps),
      redeliver: redeliver.bind(null, deps),
    },
    /** Spreads what is new and begins to deliver what is due. */
    look,
    start() {
      if (config.role === 'web') return;
      every(LOOK_MS, look);
      every(PRUNE_MS, () => queue.prune(new Date(clock.now().getTime() - KEPT_MS)));
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.race([Promise.all(underWay.values()), new Promise((resolve) => setTimeout(resolve, 2_000))]);
      mailer?.close();
      await sql.end({ timeout: 2 });
    },
  };
}
