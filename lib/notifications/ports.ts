import type { AuditLog } from '#lib/audit/index.ts';
import type { Sealed } from '#lib/config/index.ts';
import type { Locale } from '#lib/i18n/index.ts';
import type { Clock, Id, JsonObject, UnitOfWork } from '#lib/kernel/index.ts';
import type { NoticePreference } from './contract.ts';
import type { AttemptOutcome, DeliveryState, RetryPolicy } from './domain/delivery.ts';
import type { MailText } from './domain/mail-words.ts';
import type { ChosenKind, Notice, NoticeKind } from './domain/notice.ts';

export type Channel = 'mail' | 'webhook';

/** Who is told, as they are at this moment. */
export interface Recipient {
  readonly userId: Id<'user'>;
  readonly email: string;
  /** null: they have chosen none. */
  readonly locale: Locale | null;
  readonly timeZone: string;
}

/** One notice on its way to one recipient by one channel. */
export interface Delivery {
  readonly id: Id<'delivery'>;
  readonly noticeId: Id<'notice'>;
  readonly channel: Channel;
  /** null: the webhook. */
  readonly userId: Id<'user'> | null;
  readonly state: DeliveryState;
  /** Attempts so far, the one that is under way included. */
  readonly attemptCount: number;
  readonly attemptLimit: number;
  /** An admin asked for it once more: it goes out whatever was decided meanwhile. */
  readonly isRepeat: boolean;
}

export interface Attempt {
  readonly ordinal: number;
  readonly at: Date;
  readonly ok: boolean;
  readonly status: number | null;
  readonly detail: string;
  readonly durationMs: number;
}

export interface ListedDelivery extends Delivery {
  readonly kind: NoticeKind;
  readonly recipientName: string | null;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date;
  readonly endedAt: Date | null;
  readonly attempts: readonly Attempt[];
}

/** What waits to be told, and to whom it is on its way. */
export interface NoticeStore {
  find(id: Id<'notice'>): Promise<Notice | null>;
  add(notice: { id: Id<'notice'>; kind: NoticeKind; key: string; userId: Id<'user'> }): Promise<void>;
  /** Locks it; null where it has been spread, or another process is at it. */
  takeUnspread(id: Id<'notice'>): Promise<Notice | null>;
  markSpread(id: Id<'notice'>, at: Date): Promise<void>;
  /** Who is to be told of it by mail: by their rights and their own choice, both as they are now. */
  listRecipients(notice: Notice): Promise<Recipient[]>;
}

export interface DeliveryStore {
  /** One for each notice, channel and recipient: what is there already stays as it is. */
  add(
    deliveries: readonly {
      id: Id<'delivery'>;
      noticeId: Id<'notice'>;
      channel: Channel;
      userId: Id<'user'> | null;
      attemptLimit: number;
      nextAttemptAt: Date;
    }[],
  ): Promise<void>;
  /** Claims it for `leaseMs` and counts an attempt; null when it has ended, is not due, or another process has it. */
  take(id: Id<'delivery'>, now: Date, leaseMs: number): Promise<Delivery | null>;
  /** What came of the attempt. False when another has been begun meanwhile: then nothing was written. */
  settle(
    delivery: Delivery,
    result: { state: DeliveryState; attempt: Omit<Attempt, 'ordinal'> | null; nextAttemptAt: Date | null; at: Date },
  ): Promise<boolean>;
  find(id: Id<'delivery'>): Promise<ListedDelivery | null>;
  /** Newest first, older than `before`. */
  list(page: { before: Id<'delivery'> | null; state: DeliveryState | null; limit: number }): Promise<ListedDelivery[]>;
  /** Makes it due again, with so many attempts more. */
  repeat(id: Id<'delivery'>, at: Date, attempts: number): Promise<void>;
}

/** A workspace's webhook; secrets are sealed under `webhookContext`. */
export interface Webhook {
  readonly url: string;
  readonly kinds: readonly ChosenKind[];
  readonly isEnabled: boolean;
  readonly secret: Sealed;
  /** The one before it, which signs too until then. */
  readonly earlier: { readonly secret: Sealed; readonly until: Date } | null;
  readonly updatedAt: Date;
}

export interface NoticeSettingStore {
  findWebhook(): Promise<Webhook | null>;
  putWebhook(webhook: Webhook): Promise<void>;
  removeWebhook(): Promise<void>;
  /** All true where they have chosen nothing. */
  readPreference(userId: Id<'user'>): Promise<NoticePreference>;
  writePreference(userId: Id<'user'>, preference: NoticePreference): Promise<void>;
  findAddress(userId: Id<'user'>): Promise<string>;
}

export interface NotificationStores {
  readonly notices: NoticeStore;
  readonly deliveries: DeliveryStore;
  readonly noticeSettings: NoticeSettingStore;
  readonly audit: AuditLog;
}

/** What the job sees of all tenants. */
export interface NoticeQueue {
  listUnspread(limit: number): Promise<{ tenantId: Id<'tenant'>; noticeId: Id<'notice'> }[]>;
  /** At most two of a tenant, so that one whose webhook hangs does not keep the others waiting. */
  listDue(now: Date, limit: number): Promise<{ tenantId: Id<'tenant'>; deliveryId: Id<'delivery'> }[]>;
  /** Deletes notices from before then, and their deliveries; returns how many. */
  prune(before: Date): Promise<number>;
}

/** Sends a mail. Never throws: what went wrong is the outcome. */
export interface Mailer {
  send(mail: MailText & { readonly to: string; readonly id: string; readonly host: string }): Promise<AttemptOutcome>;
}

/** Posts a signed message. Never throws: what went wrong is the outcome. */
export interface WebhookSender {
  send(message: {
    readonly url: string;
    readonly body: JsonObject;
    readonly id: string;
    readonly secrets: readonly string[];
  }): Promise<AttemptOutcome>;
}

export interface SecretSealer {
  seal(plain: string, context: string): Sealed;
  /** Throws `conflict` when it was sealed under another key. */
  open(sealed: Sealed, context: string): string;
}

export interface NotificationDependencies {
  readonly unitOfWork: UnitOfWork<NotificationStores>;
  readonly clock: Clock;
  readonly sealer: SecretSealer;
  /** null where the operator has set up no mail. */
  readonly mailer: Mailer | null;
  readonly webhooks: WebhookSender;
  readonly publicUrl: URL;
  readonly retry: RetryPolicy;
  /** How long a mail waits, so that whoever has the product open is not written to. */
  readonly mailDelayMs: number;
  /** A capability's name for people. */
  readonly nameCapability: (tenantId: Id<'tenant'>, capabilityId: string, locale: Locale) => Promise<string>;
}
