import type { Guard } from './guard.ts';

const TESTS = ['lib/notifications/notifications.integration.test.ts'];
const STORES = 'db/stores/notification-stores.ts';
const DELIVER = 'lib/notifications/deliver-notice.ts';
const WEBHOOK = 'lib/notifications/manage-webhook.ts';

/** What people are told: once, of what still waits, by right, and never with a secret or past the guarded door. */
export const NOTIFICATION_GUARDS: readonly Guard[] = [
  {
    id: 'notice-claim',
    guards: 'A delivery that another process is at is left to it.',
    file: STORES,
    find: 'sql`(${noticeDelivery.leasedUntil} is null or ${noticeDelivery.leasedUntil} < ${now.toISOString()}::timestamptz)`,',
    replace: '',
    tests: TESTS,
    only: 'left half made',
  },
  {
    id: 'notice-decided-meanwhile',
    guards: 'What was decided meanwhile is not told.',
    file: DELIVER,
    find: '(!notice.isOpen && !delivery.isRepeat)',
    replace: 'false',
    tests: TESTS,
    only: 'withdrawn where it was decided',
  },
  {
    id: 'notice-four-eyes',
    guards: 'Who asked for what another must allow is not asked to decide.',
    file: STORES,
    find: "kind !== 'approval.requested' || call?.needsOther === false",
    replace: 'call !== undefined',
    tests: TESTS,
    only: 'another must allow',
  },
  {
    id: 'notice-own-choice',
    guards: 'Who chose not to be told is not told.',
    file: STORES,
    find: 'and coalesce(p.${sql.raw(audience.choice)}, true)',
    replace: '',
    tests: TESTS,
    only: 'chose not to be told',
  },
  {
    id: 'notice-given-up-on-record',
    guards: 'A delivery that is given up is on the record.',
    file: DELIVER,
    find: "if (!isOurs || next.state !== 'DEAD') return;",
    replace: 'if (isOurs) return;',
    tests: TESTS,
    only: 'given up on the record',
  },
  {
    id: 'webhook-set-permission',
    guards: 'Only who may change the workspace sets its webhook.',
    file: WEBHOOK,
    find: "body: WebhookBody): Promise<WebhookResult> {\n  requirePermission(actor, 'tenant:update');",
    replace: 'body: WebhookBody): Promise<WebhookResult> {',
    tests: TESTS,
    only: 'alone, and the matter',
  },
  {
    id: 'webhook-secret-of-one-place',
    guards: 'A webhook that moves to another host gets a new secret.',
    file: WEBHOOK,
    find: 'before !== null && new URL(before.url).origin === new URL(body.url).origin',
    replace: 'before !== null',
    tests: TESTS,
    only: 'moves to another host',
  },
  {
    id: 'webhook-earlier-secret-ends',
    guards: 'The secret before a new one signs for a day and no longer.',
    file: DELIVER,
    find: 'webhook.earlier && webhook.earlier.until > clock.now()',
    replace: 'webhook.earlier',
    tests: TESTS,
    only: 'shows its secret once',
  },
  {
    id: 'notice-deliveries-permission',
    guards: 'Only who may change the workspace has a delivery made again.',
    file: 'lib/notifications/list-deliveries.ts',
    find: "Promise<DeliveryView> {\n  requirePermission(actor, 'tenant:update');",
    replace: 'Promise<DeliveryView> {',
    tests: TESTS,
    only: 'alone, and the matter',
  },
  {
    id: 'notice-with-the-question',
    guards: 'That people are to be told is written with the question.',
    file: 'db/stores/notice-rows.ts',
    find: "...(question ? [{ kind: 'question.asked', subject: question.id }] : []),",
    replace: '',
    tests: ['lib/supervisor/question.integration.test.ts'],
    only: 'asked about while nothing runs',
  },
  {
    id: 'notice-of-a-budget-leaves-with-its-event',
    guards: 'An event of a budget takes the statement that writes the outbox too.',
    file: 'db/stores/notice-rows.ts',
    find: "'budget-soft-limit': 'budget.soft-limit',",
    replace: '',
    tests: ['lib/supervisor/budgets.integration.test.ts'],
    only: 'has answers be concise',
  },
];
