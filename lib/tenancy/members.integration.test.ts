import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Id, newId } from '#lib/kernel/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
});
afterAll(() => world.close());

const auditTypes = async () => (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.map((event) => event.type);

describe('addMember', () => {
  it('makes an account that can sign in, on the record', async () => {
    const person = await world.addPerson(acme.actor, 'member', 'ada@example.test');
    expect((await world.signIn(person)).userId).toBe(person.userId);
    const [latest] = (await world.tenancy.listAuditEvents(acme.actor, { limit: 1, type: 'member.added' })).items;
    expect(latest).toMatchObject({
      type: 'member.added',
      actor: { kind: 'user', id: acme.owner.userId, name: 'Owner of acme' },
      target: { kind: 'user', id: person.userId, name: 'ada@example.test' },
      details: { role: 'member' },
    });
  });

  it('takes an account that exists as it is: another tenant sets no password and no name', async () => {
    const person = await world.addPerson(acme.actor, 'member', 'bo@example.test');
    const added = await world.tenancy.addMember(other.actor, {
      email: 'bo@example.test',
      name: 'Not Bo',
      password: 'another password',
      roleKey: 'admin',
    });
    expect(added).toMatchObject({ userId: person.userId, name: 'The member' });
    expect(await codeOf(world.signIn({ ...person, password: 'another password' }))).toBe('invalid_credentials');
    expect((await world.actorOf('other', person)).roleKey).toBe('admin');
    expect((await world.actorOf('acme', person)).roleKey).toBe('member');
  });

  it('refuses a member twice, a role that is not here, and a new person without a password', async () => {
    const request = { email: 'twice@example.test', name: 'Twice', password: 'long enough, yes', roleKey: 'member' };
    await world.tenancy.addMember(acme.actor, request);
    expect(await codeOf(world.tenancy.addMember(acme.actor, request))).toBe('member_exists');
    expect(await codeOf(world.tenancy.addMember(acme.actor, { ...request, email: 'no-role@example.test', roleKey: 'emperor' }))).toBe(
      'invalid_request',
    );
    const { password: _, ...unprotected } = request;
    expect(await codeOf(world.tenancy.addMember(acme.actor, { ...unprotected, email: 'no-password@example.test' }))).toBe(
      'invalid_request',
    );
    const [left] =
      await world.owner`select count(*)::int as people from app_user where email in ('no-role@example.test', 'no-password@example.test')`;
    expect(left?.people).toBe(0);
  });

  it('lets nobody hand out rights above their own', async () => {
    const admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
    const request = { email: 'upstart@example.test', name: 'Upstart', password: 'long enough, yes', roleKey: 'owner' };
    await expect(world.tenancy.addMember(admin, request)).rejects.toMatchObject({
      code: 'rights_exceeded',
      details: { permissions: ['tenant:delete'] },
    });
    expect((await world.tenancy.addMember(admin, { ...request, roleKey: 'admin' })).role.key).toBe('admin');
  });

  it('needs the right to', async () => {
    for (const role of ['builder', 'auditor', 'member'] as const) {
      const actor = await world.actorOf('acme', await world.addPerson(acme.actor, role));
      const request = { email: 'x@example.test', name: 'X', password: 'long enough, yes', roleKey: 'member' };
      expect(await codeOf(world.tenancy.addMember(actor, request))).toBe('permission_denied');
    }
  });
});

describe('changeMember and removeMember', () => {
  it('keep the last owner', async () => {
    const lonely = await world.addTenant('lonely');
    const ownerId = lonely.owner.userId;
    expect(await codeOf(world.tenancy.changeMember(lonely.actor, ownerId, { roleKey: 'member' }))).toBe('last_owner');
    expect(await codeOf(world.tenancy.changeMember(lonely.actor, ownerId, { disabled: true }))).toBe('last_owner');
    expect(await codeOf(world.tenancy.removeMember(lonely.actor, ownerId))).toBe('last_owner');
    const second = await world.addPerson(lonely.actor, 'owner');
    await world.tenancy.changeMember(lonely.actor, second.userId, { disabled: true });
    expect(await codeOf(world.tenancy.removeMember(lonely.actor, ownerId))).toBe('last_owner');
    await world.tenancy.changeMember(lonely.actor, second.userId, { disabled: false });
    await world.tenancy.removeMember(lonely.actor, ownerId);
    expect(await codeOf(world.actorOf('lonely', lonely.owner))).toBe('not_found');
  });

  it('keep one of two owners who remove each other at the same moment', async () => {
    const pair = await world.addTenant('pair');
    const second = await world.addPerson(pair.actor, 'owner');
    const secondActor = await world.actorOf('pair', second);
    const outcomes = await Promise.allSettled([
      world.tenancy.removeMember(pair.actor, second.userId),
      world.tenancy.removeMember(secondActor, pair.owner.userId),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const [row] =
      await world.owner`select count(*)::int as owners from tenant_member m join role r on r.id = m.role_id where m.tenant_id = (select id from tenant where slug = 'pair') and r.key = 'owner'`;
    expect(row?.owners).toBe(1);
  });

  it('let an admin touch no owner', async () => {
    const admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
    const second = await world.addPerson(acme.actor, 'owner');
    expect(await codeOf(world.tenancy.changeMember(admin, second.userId, { roleKey: 'member' }))).toBe('rights_exceeded');
    expect(await codeOf(world.tenancy.removeMember(admin, second.userId))).toBe('rights_exceeded');
  });

  it('find no member of another tenant, as they find none that never was', async () => {
    for (const userId of [other.owner.userId, newId('user')]) {
      expect(await codeOf(world.tenancy.changeMember(acme.actor, userId, { roleKey: 'member' }))).toBe('not_found');
      expect(await codeOf(world.tenancy.removeMember(acme.actor, userId))).toBe('not_found');
    }
    expect((await world.actorOf('other', other.owner)).roleKey).toBe('owner');
  });

  it('change the rights in the tenant that was meant, for a member of both', async () => {
    const both = await world.addPerson(acme.actor, 'builder', 'both@example.test');
    await world.tenancy.addMember(other.actor, { email: both.email, name: 'Both', roleKey: 'builder' });
    await world.tenancy.removeMember(acme.actor, both.userId);
    expect(await codeOf(world.actorOf('acme', both))).toBe('not_found');
    expect((await world.actorOf('other', both)).roleKey).toBe('builder');
  });

  it('tell open streams, once the change is committed', async () => {
    const heard: unknown[] = [];
    const person = await world.addPerson(acme.actor, 'builder');
    const listening = await world.database.sql.listen('bailiwick_rights', (payload) => heard.push(JSON.parse(payload)));
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'member' });
    expect(await codeOf(world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'no such role' }))).toBe('invalid_request');
    await world.tenancy.removeMember(acme.actor, person.userId);
    await sleep(200);
    await listening.unlisten();
    expect(heard).toEqual([
      { tenantId: acme.tenantId, userId: person.userId },
      { tenantId: acme.tenantId, userId: person.userId },
    ]);
  });

  it('are on the record', async () => {
    const person = await world.addPerson(acme.actor, 'builder');
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'member', disabled: true });
    await world.tenancy.removeMember(acme.actor, person.userId);
    const [removed, changed] = (await world.tenancy.listAuditEvents(acme.actor, { limit: 2 })).items;
    expect(changed).toMatchObject({
      type: 'member.changed',
      details: { role: { from: 'builder', to: 'member' }, disabled: { from: false, to: true } },
    });
    expect(removed).toMatchObject({ type: 'member.removed', target: { id: person.userId, name: person.email } });
  });
});

describe('listMembers', () => {
  it('pages through everyone once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.tenancy.listMembers(acme.actor, { limit: 3, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map((member) => member.userId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const [row] =
      await world.owner`select count(*)::int as members from tenant_member where tenant_id = (select id from tenant where slug = 'acme')`;
    expect(seen).toHaveLength(Number(row?.members));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).not.toContain(other.owner.userId);
  });

  it('finds people by a part of their name or address and by role, and takes signs for themselves', async () => {
    const percent = await world.addPerson(acme.actor, 'auditor', '50%_off@example.test');
    const idsOf = async (query: { q?: string; role?: string }) =>
      (await world.tenancy.listMembers(acme.actor, { limit: 200, ...query })).items.map((member) => member.userId);
    expect(await idsOf({ q: '50%_OFF' })).toEqual([percent.userId]);
    expect(await idsOf({ q: '50__off' })).toEqual([]);
    expect(await idsOf({ q: 'owner of ACME' })).toEqual([acme.owner.userId]);
    expect(await idsOf({ q: 'owner of other' })).toEqual([]);
    expect(await idsOf({ q: '%_off', role: 'member' })).toEqual([]);
    expect(await idsOf({ role: 'auditor' })).toContain(percent.userId);
    expect(await idsOf({ role: 'no such role' })).toEqual([]);
  });

  it('refuses a cursor that no page gave', async () => {
    expect(await codeOf(world.tenancy.listMembers(acme.actor, { limit: 3, cursor: 'usr_nonsense' }))).toBe('invalid_request');
  });
});

describe('roles', () => {
  it('are five built-in ones in a new tenant, which cannot be changed', async () => {
    const fresh = await world.addTenant('fresh');
    const { items } = await world.tenancy.listRoles(fresh.actor);
    expect(items.map(({ key, isBuiltIn, memberCount }) => ({ key, isBuiltIn, memberCount }))).toEqual([
      { key: 'owner', isBuiltIn: true, memberCount: 1 },
      { key: 'admin', isBuiltIn: true, memberCount: 0 },
      { key: 'builder', isBuiltIn: true, memberCount: 0 },
      { key: 'auditor', isBuiltIn: true, memberCount: 0 },
      { key: 'member', isBuiltIn: true, memberCount: 0 },
    ]);
    const owner = items[0]?.id as Id<'role'>;
    expect(await codeOf(world.tenancy.updateRole(fresh.actor, owner, { name: 'King' }))).toBe('role_fixed');
    expect(await codeOf(world.tenancy.deleteRole(fresh.actor, owner))).toBe('role_fixed');
  });

  it('can be made, given, changed for everyone who has them, and deleted when nobody has', async () => {
    const role = await world.tenancy.createRole(acme.actor, { name: '出纳', permissions: ['tenant:read', 'audit:read', 'audit:read'] });
    expect(role.permissions).toEqual(['tenant:read', 'audit:read']);
    const id = role.id as Id<'role'>;
    const person = await world.addPerson(acme.actor, role.key);
    expect([...(await world.actorOf('acme', person)).permissions]).toEqual(['tenant:read', 'audit:read']);
    await world.tenancy.updateRole(acme.actor, id, { permissions: ['tenant:read'] });
    expect([...(await world.actorOf('acme', person)).permissions]).toEqual(['tenant:read']);
    expect(await codeOf(world.tenancy.deleteRole(acme.actor, id))).toBe('role_in_use');
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'member' });
    await world.tenancy.deleteRole(acme.actor, id);
    expect(await codeOf(world.tenancy.deleteRole(acme.actor, id))).toBe('not_found');
    expect((await auditTypes()).filter((type) => type.startsWith('role.'))).toEqual(['role.deleted', 'role.updated', 'role.created']);
  });

  it('hold no rights above those of whoever makes or changes them, and no unknown ones', async () => {
    const admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
    expect(await codeOf(world.tenancy.createRole(admin, { name: 'Sly', permissions: ['tenant:delete'] }))).toBe('rights_exceeded');
    expect(await codeOf(world.tenancy.createRole(acme.actor, { name: 'Odd', permissions: ['world:rule'] }))).toBe('invalid_request');
    const strong = await world.tenancy.createRole(acme.actor, { name: 'Strong', permissions: ['tenant:delete'] });
    expect(await codeOf(world.tenancy.updateRole(admin, strong.id as Id<'role'>, { name: 'Weak', permissions: ['tenant:read'] }))).toBe(
      'rights_exceeded',
    );
    expect(await codeOf(world.tenancy.deleteRole(admin, strong.id as Id<'role'>))).toBe('rights_exceeded');
  });

  it('have names of their own', async () => {
    await world.tenancy.createRole(acme.actor, { name: 'Clerk', permissions: ['tenant:read'] });
    expect(await codeOf(world.tenancy.createRole(acme.actor, { name: 'clerk', permissions: ['tenant:read'] }))).toBe('role_exists');
    expect(await codeOf(world.tenancy.createRole(acme.actor, { name: 'Owner', permissions: ['tenant:read'] }))).toBe('role_exists');
    expect((await world.tenancy.createRole(other.actor, { name: 'Clerk', permissions: ['tenant:read'] })).name).toBe('Clerk');
  });

  it('of another tenant are not there', async () => {
    const role = await world.tenancy.createRole(other.actor, { name: 'Theirs', permissions: ['tenant:read'] });
    const id = role.id as Id<'role'>;
    expect(await codeOf(world.tenancy.updateRole(acme.actor, id, { name: 'Ours' }))).toBe('not_found');
    expect(await codeOf(world.tenancy.deleteRole(acme.actor, id))).toBe('not_found');
    expect(
      await codeOf(
        world.tenancy.addMember(acme.actor, { email: 'y@example.test', name: 'Y', password: 'long enough, yes', roleKey: role.key }),
      ),
    ).toBe('invalid_request');
    expect((await world.tenancy.listRoles(other.actor)).items.find((found) => found.id === id)?.name).toBe('Theirs');
  });
});

describe('API keys', () => {
  it('are shown once and stored as a hash', async () => {
    const { key, apiKey } = await world.tenancy.createApiKey(acme.actor, { name: 'CI', scopes: ['run:read'] });
    expect(key).toMatch(/^bw_[A-Za-z0-9_-]{43}$/);
    expect(apiKey).toMatchObject({ name: 'CI', hint: key.slice(0, 9), scopes: ['run:read'], createdBy: 'Owner of acme', revokedAt: null });
    const stored = JSON.stringify([
      ...(await world.owner`select * from api_key`),
      ...(await world.owner`select * from api_key_hash`),
      ...(await world.owner`select * from audit_event`),
    ]);
    expect(stored).not.toContain(key);
  });

  it('have no scope that their maker lacks', async () => {
    const admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
    expect(await codeOf(world.tenancy.createApiKey(admin, { name: 'sly', scopes: ['tenant:delete'] }))).toBe('rights_exceeded');
    expect(await codeOf(world.tenancy.createApiKey(admin, { name: 'odd', scopes: ['no:thing'] }))).toBe('invalid_request');
    expect(await codeOf(world.tenancy.createApiKey(admin, { name: 'late', scopes: ['run:read'], expiresAt: '2020-01-01T00:00:00Z' }))).toBe(
      'invalid_request',
    );
  });

  it('end once, on the record, and only in their own tenant', async () => {
    const { apiKey } = await world.tenancy.createApiKey(acme.actor, { name: 'ends', scopes: ['run:read'] });
    const id = apiKey.id as Id<'apiKey'>;
    expect(await codeOf(world.tenancy.revokeApiKey(other.actor, id))).toBe('not_found');
    expect((await world.tenancy.listApiKeys(acme.actor, { limit: 1 })).items[0]?.revokedAt).toBeNull();
    await world.tenancy.revokeApiKey(acme.actor, id);
    const revokedAt = (await world.tenancy.listApiKeys(acme.actor, { limit: 1 })).items[0]?.revokedAt;
    await world.tenancy.revokeApiKey(acme.actor, id);
    expect((await world.tenancy.listApiKeys(acme.actor, { limit: 1 })).items[0]?.revokedAt).toBe(revokedAt);
    expect((await auditTypes()).filter((type) => type === 'api-key.revoked')).toHaveLength(1);
  });
});
