import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Id, newId } from '#lib/kernel/index.ts';
import { codeOf, createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import type { Actor } from './domain/actor.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let admin: Actor;

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
  admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
});
afterAll(() => world.close());

/** A member who has asked for a permission. */
async function asking(permission: 'knowledge:write' | 'run:audit' | 'tenant:delete' = 'knowledge:write') {
  const person = await world.addPerson(acme.actor, 'member');
  const actor = await world.actorOf('acme', person);
  const request = await world.tenancy.requestAccess(actor, { permission, reason: 'I keep the handbook.' });
  return { person, actor, id: request.id as Id<'accessRequest'>, request };
}
const recorded = async (type: string, person: Person) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.filter(
    (event) => event.type === type && (event.target.id === person.userId || event.actor.id === person.userId),
  );

describe('requestAccess', () => {
  it('asks once, shows the asker what became of it, and is on the record', async () => {
    const { person, actor, request } = await asking();
    expect(request).toMatchObject({ state: 'OPEN', permission: 'knowledge:write', requester: { userId: person.userId }, grants: [] });
    expect(await codeOf(world.tenancy.requestAccess(actor, { permission: 'knowledge:write', reason: 'Again.' }))).toBe('conflict');
    const known = await world.tenancy.getPermission(actor, 'knowledge:write');
    expect(known).toMatchObject({ isHeld: false, request: { id: request.id, state: 'OPEN' } });
    expect(known.granters.map(({ name }) => name)).toEqual(['Owner of acme', 'The admin']);
    expect(await recorded('access.requested', person)).toMatchObject([{ details: { reason: 'I keep the handbook.', role: 'member' } }]);
  });

  it('is refused where the role has it, also to an API key that has less', async () => {
    expect(await codeOf(world.tenancy.requestAccess(admin, { permission: 'run:audit', reason: 'x' }))).toBe('conflict');
    const lesser = { ...admin, kind: 'api-key', permissions: new Set(['tenant:read']) } as Actor;
    expect(await codeOf(world.tenancy.requestAccess(lesser, { permission: 'run:audit', reason: 'x' }))).toBe('conflict');
  });

  it('names only those who could hand the permission on', async () => {
    const { actor } = await asking('tenant:delete');
    expect((await world.tenancy.getPermission(actor, 'tenant:delete')).granters).toEqual([{ name: 'Owner of acme' }]);
  });
});

describe('listAccessRequests', () => {
  it('shows managers everyone’s with the roles that would grant them, others their own, other tenants none', async () => {
    const first = await asking();
    const second = await asking('run:audit');
    const open = (await world.tenancy.listAccessRequests(admin, { state: 'OPEN' })).items;
    const shown = open.find(({ id }) => id === first.id);
    expect(shown?.role?.key).toBe('member');
    expect(shown?.grants.map(({ key }) => key)).toEqual(['builder', 'admin']);
    expect(shown?.grants[0]?.gains).toContain('knowledge:write');
    const own = (await world.tenancy.listAccessRequests(second.actor, {})).items;
    expect(own.map(({ id, grants }) => [id, grants])).toEqual([[second.id, []]]);
    expect((await world.tenancy.listAccessRequests(other.actor, {})).items).toEqual([]);
    expect((await world.tenancy.getMe(admin)).openAccessRequests).toBe(open.length);
    expect((await world.tenancy.getMe(first.actor)).openAccessRequests).toBe(0);
  });
});

describe('decideAccessRequest', () => {
  it('grants by giving the role, from the next request on, once, and on the record', async () => {
    const { person, id } = await asking();
    const grant = () => world.tenancy.decideAccessRequest(admin, id, { decision: 'grant', roleKey: 'builder' });
    expect(await grant()).toMatchObject({ state: 'GRANTED', decidedBy: { name: 'The admin' } });
    const now = await world.actorOf('acme', person);
    expect(now.roleKey).toBe('builder');
    expect(now.permissions.has('knowledge:write')).toBe(true);
    expect(await codeOf(grant())).toBe('already_decided');
    expect(await recorded('access.granted', person)).toMatchObject([{ details: { permission: 'knowledge:write', role: 'builder' } }]);
    expect(await recorded('member.changed', person)).toMatchObject([{ details: { role: { from: 'member', to: 'builder' } } }]);
  });

  it('settles every request that a role fulfils, however it was given', async () => {
    const { person, actor, id } = await asking();
    const more = await world.tenancy.requestAccess(actor, { permission: 'run:audit', reason: 'x' });
    const beyond = await world.tenancy.requestAccess(actor, { permission: 'audit:read', reason: 'x' });
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'builder' });
    const states = (await world.tenancy.listAccessRequests(actor, {})).items.map(({ id, state }) => [id, state]);
    expect(states).toEqual([
      [beyond.id, 'OPEN'],
      [more.id, 'GRANTED'],
      [id, 'GRANTED'],
    ]);
  });

  it('refuses with a reason that the asker reads, and lets them ask again', async () => {
    const { person, actor, id } = await asking();
    await world.tenancy.decideAccessRequest(admin, id, { decision: 'refuse', note: 'Ask Una to change it.' });
    expect((await world.tenancy.getPermission(actor, 'knowledge:write')).request).toMatchObject({
      state: 'REFUSED',
      note: 'Ask Una to change it.',
      decidedBy: { name: 'The admin' },
    });
    expect((await world.actorOf('acme', person)).roleKey).toBe('member');
    expect(await recorded('access.refused', person)).toHaveLength(1);
    expect((await world.tenancy.requestAccess(actor, { permission: 'knowledge:write', reason: 'Una is away.' })).state).toBe('OPEN');
  });

  it('needs the right to manage members, and a role that holds the permission', async () => {
    const { actor, id } = await asking();
    const bystander = await world.actorOf('acme', await world.addPerson(acme.actor, 'member'));
    for (const by of [actor, bystander]) {
      expect(await codeOf(world.tenancy.decideAccessRequest(by, id, { decision: 'grant', roleKey: 'builder' }))).toBe('permission_denied');
      expect(await codeOf(world.tenancy.decideAccessRequest(by, id, { decision: 'refuse', note: 'x' }))).toBe('permission_denied');
    }
    const grant = (roleKey: string) => codeOf(world.tenancy.decideAccessRequest(admin, id, { decision: 'grant', roleKey }));
    expect(await grant('auditor')).toBe('invalid_request');
    expect(await grant('no-such-role')).toBe('invalid_request');
    expect(await grant('owner')).toBe('rights_exceeded');
  });

  it('lets whoever asked take it back, and nobody else', async () => {
    const { person, actor, id } = await asking();
    expect(await codeOf(world.tenancy.decideAccessRequest(admin, id, { decision: 'withdraw' }))).toBe('not_found');
    expect(await world.tenancy.decideAccessRequest(actor, id, { decision: 'withdraw' })).toMatchObject({ state: 'WITHDRAWN' });
    expect(await recorded('access.withdrawn', person)).toHaveLength(1);
  });

  it('does not find another tenant’s, nor one of somebody who has left', async () => {
    const { person, id } = await asking();
    const refuse = (by: Actor, request = id) => codeOf(world.tenancy.decideAccessRequest(by, request, { decision: 'refuse', note: 'x' }));
    expect(await refuse(other.actor)).toBe('not_found');
    expect(await refuse(admin, newId('accessRequest'))).toBe('not_found');
    await world.tenancy.removeMember(acme.actor, person.userId);
    expect(await refuse(admin)).toBe('not_found');
  });
});
