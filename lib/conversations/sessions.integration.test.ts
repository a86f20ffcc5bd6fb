import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { fromUuid, type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { createSession, deleteSession, getTranscript, listSessions, PLATFORM_PRESETS, pinMessage, updateSession } from './index.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
});
afterAll(() => world.close());

const deps = () => ({ unitOfWork: world.unitOfWork, log: { info: () => undefined }, presets: PLATFORM_PRESETS });
const add = async (actor: Actor, title: string): Promise<Id<'session'>> =>
  (await createSession(deps(), actor, { title })).id as Id<'session'>;
const titles = async (actor: Actor, query: { q?: string; archived?: boolean } = {}) =>
  (await listSessions(deps(), actor, query)).items.map((session) => session.title);

/** A message, and the run it asked for, in that state. */
async function addRun(actor: Actor, session: Id<'session'>, state: string, text = 'hello'): Promise<Id<'message'>> {
  const [tenant, user] = [toUuid(actor.scope.tenantId), toUuid(actor.scope.userId)];
  const [run, message] = [toUuid(newId('run')), toUuid(newId('message'))];
  await world.owner`
    insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms)
    values (${tenant}, ${run}, ${toUuid(session)}, ${user}, ${message}, 'default', ${text}, 'en', 'UTC', ${state}, 1000)`;
  await world.owner`
    insert into message (tenant_id, id, session_id, run_id, role, text, state) values (${tenant}, ${message}, ${toUuid(session)}, ${run}, 'user', ${text}, 'complete')`;
  return fromUuid('message', message);
}

describe('a session', () => {
  verifies(['P-18', 'K15'], 'is there for its own person alone, colleagues and strangers get what a random id gets', async () => {
    const session = await add(acme.actor, 'Mine');
    await addRun(acme.actor, session, 'FINISH_OK', 'a secret word');
    const colleague = await world.actorOf('acme', await world.addPerson(acme.actor, 'owner'));
    for (const [actor, id] of [
      [colleague, session],
      [other.actor, session],
      [acme.actor, newId('session')],
    ] as const) {
      const outcomes = [
        getTranscript(deps(), actor, id),
        updateSession(deps(), actor, id, { title: 'Theirs' }),
        deleteSession(deps(), actor, id),
      ];
      expect(await Promise.all(outcomes.map(codeOf))).toEqual(['session_not_found', 'session_not_found', 'session_not_found']);
    }
    for (const actor of [colleague, other.actor]) expect(await titles(actor, { q: 'secret' })).toEqual([]);
    expect((await getTranscript(deps(), acme.actor, session)).session.title).toBe('Mine');
    expect(await titles(acme.actor, { q: 'secret' })).toEqual(['Mine']);
  });

  it('keeps a message that its person has pinned, and nobody else’s', async () => {
    const session = await add(acme.actor, 'With a pin');
    const messageId = await addRun(acme.actor, session, 'FINISH_OK');
    const pin = (actor: Actor, isPinned: boolean, given: Partial<{ sessionId: Id<'session'>; messageId: Id<'message'> }> = {}) =>
      pinMessage(deps(), actor, { sessionId: session, messageId, isPinned, ...given });
    const isPinned = async () => (await getTranscript(deps(), acme.actor, session)).messages.map((message) => message.isPinned);
    const colleague = await world.actorOf('acme', await world.addPerson(acme.actor, 'owner'));
    const refused = [
      pin(colleague, true),
      pin(other.actor, true),
      pin(acme.actor, true, { messageId: newId('message') }),
      pin(acme.actor, true, { sessionId: newId('session') }),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(['not_found', 'not_found', 'not_found', 'not_found']);
    expect(await isPinned()).toEqual([false]);
    await pin(acme.actor, true);
    expect(await isPinned()).toEqual([true]);
    await pin(acme.actor, false);
    expect(await isPinned()).toEqual([false]);
    const audit =
      await world.owner`select payload from audit_event where type = 'agent.session.updated' and target_id = ${session} order by id`;
    expect(audit.map(({ payload }) => String(payload))).toEqual([
      expect.stringContaining('"isPinned":true'),
      expect.stringContaining('"isPinned":false'),
    ]);
  });

  it('is not deleted while a run of it is going on, and is gone afterwards', async () => {
    const session = await add(acme.actor, 'At work');
    for (const state of ['QUEUED', 'RUNNING', 'WAITING']) {
      await addRun(acme.actor, session, state);
      expect(await codeOf(deleteSession(deps(), acme.actor, session))).toBe('conflict');
      await world.owner`update run set state = 'FINISH_OK' where session_id = ${toUuid(session)}`;
    }
    await deleteSession(deps(), acme.actor, session);
    expect(await codeOf(getTranscript(deps(), acme.actor, session))).toBe('session_not_found');
    expect(await titles(acme.actor)).not.toContain('At work');
    const audit = await world.tenancy.listAuditEvents(acme.actor, { limit: 1 });
    expect(audit.items).toMatchObject([{ type: 'agent.session.deleted', target: { id: session, name: 'At work' } }]);
  });

  it('takes no preset that nobody knows', async () => {
    expect(await codeOf(createSession(deps(), acme.actor, { preset: 'nonesuch' }))).toBe('unknown_preset');
    expect((await createSession(deps(), acme.actor, { preset: null })).preset).toBe('default');
  });
});

describe('a list of sessions', () => {
  it('pages through each once, pinned ones first, archived ones apart', async () => {
    const { actor } = await world.addTenant('lister');
    const ids: Id<'session'>[] = [];
    for (const title of ['one', 'two', 'three', 'four', 'five']) ids.push(await add(actor, title));
    await updateSession(deps(), actor, ids[0] ?? newId('session'), { isPinned: true });
    await updateSession(deps(), actor, ids[4] ?? newId('session'), { isArchived: true });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSessions(deps(), actor, { limit: 2, cursor });
      seen.push(...page.items.map((session) => session.title));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(['one', 'four', 'three', 'two']);
    expect(await titles(actor, { archived: true })).toEqual(['five']);
    expect(await codeOf(listSessions(deps(), actor, { cursor: 'nonsense' }))).toBe('invalid_request');
  });

  it('is searched for text as it stands, wildcards included', async () => {
    const { actor } = await world.addTenant('searcher');
    for (const title of ['100% sure', '100 reasons', 'snake_case', 'snake case']) await add(actor, title);
    expect(await titles(actor, { q: '100%' })).toEqual(['100% sure']);
    expect(await titles(actor, { q: 'snake_' })).toEqual(['snake_case']);
  });
});
