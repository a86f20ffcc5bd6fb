import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeNotifications } from '#lib/composition/notifications.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { startMailServer, startWebhookReceiver } from '#lib/testing/notified-people.ts';
import { codeOf, createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { verifyWebhook } from '../../docs/verify-webhook.mjs';
import { webhookBody } from './contract.ts';

let world: TenancyWorld;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let hook: Awaited<ReturnType<typeof startWebhookReceiver>>;
let first: ReturnType<typeof composeNotifications>;
let second: ReturnType<typeof composeNotifications>;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let member: Person;

beforeAll(async () => {
  [mail, hook] = [await startMailServer(), await startWebhookReceiver()];
  world = await createTenancyWorld({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Bailiwick <bailiwick@example.test>',
    MAIL_DELAY_MS: '0',
    NOTIFICATION_ATTEMPTS: '3',
    NOTIFICATION_RETRY_MS: '10000',
    PUBLIC_URL: 'https://agents.example.test',
  });
  // Two processes of one deployment, each with its own connections.
  [first, second] = [process('127.0.0.1'), process('127.0.0.1')];
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await Promise.all([world.close(), mail.close(), hook.close()]);
});
beforeEach(async () => {
  const stamp = newId('tenant').slice(-8);
  acme = await world.addTenant(`acme-${stamp}`);
  other = await world.addTenant(`other-${stamp}`);
  member = await world.addPerson(acme.actor, 'member');
  mail.refuse(null);
  mail.mails.length = 0;
  hook.messages.length = 0;
  hook.answers.length = 0;
});

function process(allowed: string) {
  const { config, clock, unitOfWork } = world;
  return composeNotifications({
    config,
    clock,
    unitOfWork,
    fetch: createGuardedFetch(readAddressPolicy(allowed)),
    nameCapability: async (_tenantId, capabilityId) => `The ${capabilityId}`,
  });
}

const bodyWith = (more: object = {}) =>
  webhookBody.parse({ url: hook.url, kinds: ['approval.requested', 'question.asked', 'budget.soft-limit', 'budget.refused'], ...more });
const setWebhook = (more: object = {}, actor = acme.actor) => first.useCases.setWebhook(actor, bodyWith(more));
const log = async (query: { state?: 'PENDING' | 'DELIVERED' | 'WITHDRAWN' | 'DEAD' } = {}, actor = acme.actor) =>
  (await first.useCases.listDeliveries(actor, { limit: 100, ...query })).items;
const toWebhook = async () => (await log()).filter(({ channel }) => channel === 'webhook');
const auditOf = async (type: string) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.filter((item) => item.type === type);
const lacking = (permission: string): Actor => ({
  ...acme.actor,
  permissions: new Set([...acme.actor.permissions].filter((each) => each !== permission)),
});

/** Looks until nothing is due, by both processes at once. */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([first.look(), second.look()]);
    await sleep(120);
  }
}

/** A run of this person that waits, with the outbox row that its boundary writes. */
async function waiting(
  what: { kind: 'approval' | 'question'; of?: Person; needsOther?: boolean; capability?: string } = { kind: 'approval' },
) {
  const { kind, of = member, needsOther = false, capability = 'crm.delete' } = what;
  const [sessionId, runId, invocationId] = [newId('session'), newId('run'), newId('invocation')];
  const subjectId = kind === 'approval' ? newId('approval') : newId('question');
  const [tenant, user, subject] = [toUuid(acme.tenantId), toUuid(of.userId), toUuid(subjectId)];
  await world.database.sql.begin(async (tx) => {
    await tx`select set_config('app.tenant_id', ${tenant}, true)`;
    await tx`
      insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
      values (${tenant}, ${toUuid(sessionId)}, ${user}, 'default', 'WAITING_USER', 'A secret title', ${sessionId})`;
    await tx`
      insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms)
      values (${tenant}, ${toUuid(runId)}, ${toUuid(sessionId)}, ${user}, ${toUuid(newId('message'))}, 'default', 'a secret request', 'en', 'UTC', 'WAITING', 60000)`;
    if (kind === 'approval') {
      await tx`
        insert into invocation (tenant_id, id, run_id, path, step, capability_id, state, arguments, arguments_hash, idempotency_key)
        values (${tenant}, ${toUuid(invocationId)}, ${toUuid(runId)}, 'a', 0, ${capability}, 'ARGUMENTS_VALIDATED', '{"a":"secret argument"}'::jsonb, 'x', 'x')`;
      await tx`
        insert into approval (tenant_id, id, run_id, invocation_id, capability_id, capability_version, arguments, arguments_hash, risk, reason, needs_other, state, requested_by, expires_at)
        values (${tenant}, ${subject}, ${toUuid(runId)}, ${toUuid(invocationId)}, ${capability}, '1', '{"a":"secret argument"}'::jsonb, 'x', 'destructive', 'risk', ${needsOther}, 'OPEN', ${user}, now() + interval '1 hour')`;
    } else {
      await tx`
        insert into question (tenant_id, id, run_id, kind, text, options, state)
        values (${tenant}, ${subject}, ${toUuid(runId)}, 'free', 'a secret question', '[]'::jsonb, 'OPEN')`;
    }
    await tx`
      insert into notice (tenant_id, id, kind, key, subject_id, run_id, user_id)
      values (${tenant}, ${toUuid(newId('notice'))}, ${kind === 'approval' ? 'approval.requested' : 'question.asked'}, ${subjectId}, ${subject}, ${toUuid(runId)}, ${user})`;
  });
  return {
    subjectId,
    runId,
    decide: () =>
      world.database.sql.begin(async (tx) => {
        await tx`select set_config('app.tenant_id', ${tenant}, true)`;
        await tx`update approval set state = 'APPROVED' where id = ${subject}`;
        await tx`update question set state = 'ANSWERED' where id = ${subject}`;
      }),
  };
}

const recipients = () => mail.mails.flatMap(({ to }) => to).sort();

describe('what waits is told', () => {
  it('to everyone who may decide, once each, whatever the number of processes', async () => {
    await waiting();
    await settle();
    expect(recipients()).toEqual([member.email, acme.owner.email].sort());
    expect((await log()).map(({ channel, state, attempts }) => [channel, state, attempts.length])).toEqual([
      ['mail', 'DELIVERED', 1],
      ['mail', 'DELIVERED', 1],
    ]);
  });

  it('to no one who asked for what another must allow, and of a question to nobody but its person', async () => {
    await waiting({ kind: 'approval', needsOther: true });
    await settle();
    expect(recipients()).toEqual([acme.owner.email]);
    mail.mails.length = 0;
    await waiting({ kind: 'question' });
    await settle();
    expect(recipients()).toEqual([member.email]);
  });

  it('without a word of the conversation or an argument, with a link, in the language of its reader', async () => {
    await world.database.sql`update app_user set locale = 'zh-CN' where id = ${toUuid(member.userId)}`;
    await setWebhook();
    await waiting();
    await settle();
    const [toMember, toOwner] = [member.email, acme.owner.email].map((email) => mail.mails.find(({ to }) => to.includes(email))?.raw ?? '');
    expect(toOwner).toContain('Subject: Waiting for your decision: The crm.delete');
    expect(toOwner).toContain(`https://agents.example.test/${acme.slug}/inbox`);
    expect(toOwner).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(toOwner).toMatch(/^Message-ID: <dlv_[0-9a-f]{32}@agents\.example\.test>/m);
    expect(toMember).toMatch(/^Subject: =\?UTF-8\?/m);
    for (const said of [toMember, toOwner, ...hook.messages.map(({ body }) => body)]) expect(said).not.toContain('secret');
    expect(JSON.parse(hook.messages[0]?.body ?? '')).toMatchObject({
      type: 'approval.requested',
      data: { capability: 'crm.delete', risk: 'destructive', workspace: { slug: acme.slug }, for: { userId: member.userId } },
    });
  });

  it('and no name in it can add a header or a recipient', async () => {
    await waiting({ kind: 'approval', capability: 'crm.delete\r\nBcc: everyone@example.test\r\n\r\nHello' });
    await settle();
    expect(recipients()).toEqual([member.email, acme.owner.email].sort());
    for (const { raw } of mail.mails) expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
  });

  it('though one before it cannot be told', async () => {
    const unknown = { tenant_id: toUuid(acme.tenantId), id: toUuid(newId('notice')), kind: 'of another version', key: 'x' };
    await world.database.sql.begin(async (tx) => {
      await tx`select set_config('app.tenant_id', ${toUuid(acme.tenantId)}, true)`;
      await tx`insert into notice ${tx({ ...unknown, user_id: toUuid(member.userId) })}`;
    });
    await waiting({ kind: 'question' });
    await settle();
    expect(recipients()).toEqual([member.email]);
  });

  it('is withdrawn where it was decided meanwhile', async () => {
    mail.refuse(451);
    const { decide } = await waiting();
    await settle();
    expect((await log()).map(({ state }) => state)).toEqual(['PENDING', 'PENDING']);
    await decide();
    mail.refuse(null);
    world.clock.advance(60_000);
    await settle();
    expect((await log()).map(({ state }) => state)).toEqual(['WITHDRAWN', 'WITHDRAWN']);
    expect(mail.mails).toEqual([]);
  });

  it('to nobody who chose not to be told, has left or may not decide any more', async () => {
    const { permissions } = acme.actor;
    await first.useCases.setNoticePreference({ ...acme.actor, permissions }, { approvals: false, questions: true, budgets: true });
    expect(await auditOf('notification-preference.updated')).toHaveLength(1);
    await waiting();
    await settle();
    expect(recipients()).toEqual([member.email]);
    mail.mails.length = 0;
    mail.refuse(451);
    await waiting();
    await settle();
    await world.tenancy.removeMember(acme.actor, member.userId);
    mail.refuse(null);
    world.clock.advance(60_000);
    await settle();
    expect(mail.mails).toEqual([]);
    expect((await log({ state: 'WITHDRAWN' })).length).toBe(1);
  });
});

describe('a delivery', () => {
  it('is tried again after a wait that grows and is no shorter than asked, then given up on the record', async () => {
    await first.useCases.setNoticePreference(acme.actor, { approvals: false, questions: false, budgets: false });
    await setWebhook();
    hook.answers.push({ status: 503, headers: { 'retry-after': '120' } }, { status: 500 }, { status: 500 });
    await waiting({ kind: 'question', of: acme.owner });
    await settle();
    const waitOf = async () => Date.parse((await log())[0]?.nextAttemptAt ?? '') - world.clock.now().getTime();
    expect(await waitOf()).toBeGreaterThan(115_000);
    await settle();
    expect(hook.messages).toHaveLength(1);
    world.clock.advance(121_000);
    await settle();
    expect(await waitOf()).toBeGreaterThan(38_000);
    world.clock.advance(60_000);
    await settle();
    const [dead] = await log();
    expect(dead).toMatchObject({ state: 'DEAD', nextAttemptAt: null });
    expect(dead?.attempts.map(({ status, ok }) => [status, ok])).toEqual([
      [503, false],
      [500, false],
      [500, false],
    ]);
    expect(new Set(hook.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await auditOf('notification.undeliverable'))[0]?.details).toMatchObject({ channel: 'webhook', attempts: 3 });
  });

  it('that has ended can be made again, and one that is under way cannot', async () => {
    await setWebhook();
    hook.answers.push({ status: 410 });
    await waiting({ kind: 'question' });
    await settle();
    const [dead] = await log({ state: 'DEAD' });
    const again = await first.useCases.redeliver(acme.actor, dead?.id as Id<'delivery'>);
    expect(again.state).toBe('PENDING');
    expect(await codeOf(first.useCases.redeliver(acme.actor, again.id as Id<'delivery'>))).toBe('conflict');
    await settle();
    expect((await log()).find(({ id }) => id === again.id)).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ status: 410 }, { status: 204 }],
    });
    expect(await auditOf('notification.redelivered')).toHaveLength(1);
    expect(await codeOf(first.useCases.redeliver(other.actor, again.id as Id<'delivery'>))).toBe('not_found');
  });

  it('to a mailbox that does not exist is given up at once', async () => {
    mail.refuse(550, 'no such mailbox');
    await waiting({ kind: 'question' });
    await settle();
    expect((await log())[0]).toMatchObject({ state: 'DEAD', attempts: [{ status: 550, ok: false }] });
  });

  it('that a process left half made is carried on by another when its lease is over', async () => {
    await setWebhook();
    await waiting({ kind: 'question' });
    hook.answers.push({ status: 500 });
    await settle();
    const [one] = await toWebhook();
    world.clock.advance(60_000);
    // Claimed by a process that was killed before it sent anything.
    const taken = await world.unitOfWork.within({ tenantId: acme.tenantId }, ({ deliveries }) =>
      deliveries.take(one?.id as Id<'delivery'>, world.clock.now(), 90_000),
    );
    expect(taken?.attemptCount).toBe(2);
    await settle();
    expect(hook.messages).toHaveLength(1);
    world.clock.advance(100_000);
    await settle();
    expect((await toWebhook())[0]).toMatchObject({ state: 'DELIVERED' });
    expect(hook.messages).toHaveLength(2);
  });
});

describe('a webhook', () => {
  it('shows its secret once, signs so that the sample verifies it, and the earlier secret signs on for a day', async () => {
    const { secret } = await setWebhook();
    expect(secret).toMatch(/^whsec_/);
    expect((await setWebhook({ kinds: ['question.asked'] })).secret).toBeNull();
    expect(JSON.stringify(await first.useCases.getWebhook(acme.actor))).not.toContain('whsec');
    const { secret: next } = await first.useCases.rotateWebhookSecret(acme.actor);
    const test = await first.useCases.testWebhook(acme.actor);
    expect(test).toMatchObject({ kind: 'webhook.test', state: 'DELIVERED', attempts: [{ status: 204, ok: true }] });
    const { headers, body } = hook.messages[0] ?? { headers: {}, body: '' };
    const now = world.clock.now().getTime();
    for (const known of [secret, next]) expect(verifyWebhook(headers, body, known ?? '', now)).toBe(true);
    expect(verifyWebhook(headers, `${body} `, next ?? '', now)).toBe(false);
    expect(verifyWebhook(headers, body, next ?? '', now + 600_000)).toBe(false);
    world.clock.advance(25 * 3_600_000);
    await first.useCases.testWebhook(acme.actor);
    const later = hook.messages[1] ?? { headers: {}, body: '' };
    expect(verifyWebhook(later.headers, later.body, secret ?? '', world.clock.now().getTime())).toBe(false);
    expect(verifyWebhook(later.headers, later.body, next ?? '', world.clock.now().getTime())).toBe(true);
    const told = JSON.stringify([
      ...(await auditOf('webhook.updated')),
      ...(await auditOf('webhook.secret-rotated')),
      ...(await auditOf('webhook.tested')),
    ]);
    expect(told).toContain('webhook.tested');
    expect(told).not.toContain('whsec');
  });

  it('that moves to another host gets a new secret', async () => {
    const { secret } = await setWebhook();
    const moved = await setWebhook({ url: 'https://hooks.example.test/x' });
    expect(moved.secret).toMatch(/^whsec_/);
    expect(moved.secret).not.toBe(secret);
  });

  it('is not sent what was not chosen, nor to an address within', async () => {
    await setWebhook({ kinds: ['budget.refused'] });
    await waiting({ kind: 'question' });
    await settle();
    expect(hook.messages).toEqual([]);
    const strict = process('');
    const refused = await strict.useCases.testWebhook(acme.actor);
    await strict.stop();
    expect(refused).toMatchObject({ state: 'DEAD' });
    expect(refused.attempts[0]?.detail).toContain('not a public address');
    expect(hook.messages).toEqual([]);
  });

  it('is its workspace’s alone, and the matter of who may change the workspace', async () => {
    await setWebhook();
    expect(await first.useCases.getWebhook(other.actor)).toEqual({ webhook: null });
    expect(await codeOf(first.useCases.testWebhook(other.actor))).toBe('conflict');
    expect(await codeOf(first.useCases.rotateWebhookSecret(other.actor))).toBe('conflict');
    await first.useCases.deleteWebhook(other.actor);
    expect((await first.useCases.getWebhook(acme.actor)).webhook).not.toBeNull();
    const without = lacking('tenant:update');
    for (const refused of [
      first.useCases.getWebhook(without),
      first.useCases.setWebhook(without, bodyWith()),
      first.useCases.rotateWebhookSecret(without),
      first.useCases.testWebhook(without),
      first.useCases.deleteWebhook(without),
      first.useCases.listDeliveries(without, { limit: 10 }),
      first.useCases.redeliver(without, newId('delivery')),
    ])
      expect(await codeOf(refused)).toBe('permission_denied');
    for (const refused of [
      first.useCases.getNotifications(lacking('tenant:read')),
      first.useCases.setNoticePreference(lacking('tenant:read'), { approvals: true, questions: true, budgets: true }),
    ])
      expect(await codeOf(refused)).toBe('permission_denied');
    await first.useCases.deleteWebhook(acme.actor);
    expect(await auditOf('webhook.deleted')).toHaveLength(1);
    await first.useCases.deleteWebhook(acme.actor);
    expect(await auditOf('webhook.deleted')).toHaveLength(1);
  });
});
