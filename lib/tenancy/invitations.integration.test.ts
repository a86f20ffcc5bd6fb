import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Id, newId } from '#lib/kernel/index.ts';
import type { Account } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
});
afterAll(() => world.close());

const PASSWORD = 'correct horse battery';
let people = 0;
const newcomer = () => {
  people += 1;
  return { name: `Newcomer ${people}`, email: `newcomer-${people}@example.test`, password: PASSWORD };
};
const invite = async (roleKey = 'member', by = acme.actor) => {
  const { url, invitation } = await world.tenancy.createInvitation(by, { roleKey, note: 'for Sam', expiresInDays: 7 });
  return { token: url.split('/').at(-1) ?? '', url, id: invitation.id as Id<'invitation'> };
};
const accountOf = async (person: Pick<Person, 'email' | 'password'>): Promise<Account> =>
  world.tenancy.getAccount({ kind: 'sign-in', ...(await world.tenancy.signInWithPassword(person, world.sender)) });
const asNew = (token: string, person = newcomer()) => world.tenancy.acceptInvitation({ token, person }, { account: null, ip: '192.0.2.9' });
const asAccount = (token: string, account: Account) => world.tenancy.acceptInvitation({ token }, { account, ip: '192.0.2.9' });

describe('an invitation', () => {
  it('makes a new person a member with an account of their own, on the record', async () => {
    const { token, url, id } = await invite('builder');
    expect(url).toBe(`${world.config.publicUrl.origin}/invite/${token}`);
    expect(await world.tenancy.findOfferedInvitation(token)).toMatchObject({
      tenant: 'acme',
      role: { key: 'builder' },
      invitedBy: 'Owner of acme',
    });
    const person = newcomer();
    expect(await asNew(token, person)).toEqual({ slug: 'acme' });
    const actor = await world.actorOf('acme', { ...person, userId: newId('user') });
    expect(actor.roleKey).toBe('builder');
    const [added, accepted] = (await world.tenancy.listAuditEvents(acme.actor, { limit: 3 })).items.filter(
      ({ type }) => type !== 'sign-in.succeeded',
    );
    expect(accepted).toMatchObject({ type: 'invitation.accepted', actor: { id: actor.scope.userId }, target: { id } });
    expect(added).toMatchObject({
      type: 'member.added',
      target: { name: person.email },
      details: { role: 'builder', invitedBy: acme.owner.userId },
    });
    const [listed] = (await world.tenancy.listInvitations(acme.actor, { limit: 1 })).items;
    expect(listed).toMatchObject({ id, note: 'for Sam', acceptedBy: person.name });
  });

  it('makes whoever is signed in a member, with the account they have', async () => {
    const person = await world.addPerson(other.actor, 'member');
    const { token } = await invite('auditor');
    expect(await asAccount(token, await accountOf(person))).toEqual({ slug: 'acme' });
    expect((await world.actorOf('acme', person)).roleKey).toBe('auditor');
    expect((await world.actorOf('other', person)).roleKey).toBe('member');
  });

  it('serves once, and one of two who use it at the same moment', async () => {
    const { token } = await invite();
    const outcomes = await Promise.allSettled([asNew(token), asNew(token), asNew(token)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await codeOf(asNew(token))).toBe('not_found');
    expect(await world.tenancy.findOfferedInvitation(token)).toBeNull();
  });

  it('answers the same when it was never made, is used, withdrawn, too old, or of a closed workspace', async () => {
    const [used, withdrawn, old] = [await invite(), await invite(), await invite()];
    await asNew(used.token);
    await world.tenancy.revokeInvitation(acme.actor, withdrawn.id);
    const closed = await world.addTenant('closed');
    const ofClosed = await invite('member', closed.actor);
    await world.owner`update tenant set deleted_at = now() where slug = 'closed'`;
    await world.owner`update invitation set expires_at = now() where id = ${old.id.slice(-32)}`;
    for (const token of ['', 'nonsense', 'A'.repeat(43), used.token, withdrawn.token, old.token, ofClosed.token]) {
      expect(await world.tenancy.findOfferedInvitation(token)).toBeNull();
      await expect(asNew(token)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('cannot be used') });
    }
  });

  it('stays open when the newcomer’s address has an account, who is then let in by signing in', async () => {
    const person = await world.addPerson(other.actor, 'member');
    const { token } = await invite();
    expect(await codeOf(asNew(token, { ...newcomer(), email: person.email }))).toBe('email_taken');
    expect(await asAccount(token, await accountOf(person))).toEqual({ slug: 'acme' });
  });

  it('is not used up by a member, and asks a stranger who they are', async () => {
    const { token } = await invite();
    expect(await codeOf(asAccount(token, await accountOf(acme.owner)))).toBe('member_exists');
    expect(await codeOf(world.tenancy.acceptInvitation({ token }, { account: null, ip: '192.0.2.9' }))).toBe('unauthenticated');
    expect(await asNew(token)).toEqual({ slug: 'acme' });
  });

  it('is worth no more than what its maker may hand on now', async () => {
    const admin = await world.addPerson(acme.actor, 'admin');
    const { token } = await invite('admin', await world.actorOf('acme', admin));
    expect(
      await codeOf(world.tenancy.createInvitation(await world.actorOf('acme', admin), { roleKey: 'owner', note: '', expiresInDays: 1 })),
    ).toBe('rights_exceeded');
    await world.tenancy.changeMember(acme.actor, admin.userId, { roleKey: 'auditor' });
    expect(await codeOf(asNew(token))).toBe('not_found');
    await world.tenancy.changeMember(acme.actor, admin.userId, { roleKey: 'admin' });
    expect(await asNew(token)).toEqual({ slug: 'acme' });
  });

  it('is kept as a hash alone, and on the record without its link', async () => {
    const { token, id } = await invite();
    await world.tenancy.revokeInvitation(acme.actor, id);
    for (const table of ['invitation', 'invitation_hash', 'audit_event']) {
      const rows = await world.owner`select row_to_json(t)::text as row from ${world.owner(table)} t`;
      expect({ table, holds: rows.some(({ row }) => String(row).includes(token)) }).toEqual({ table, holds: false });
    }
    const [revoked] = (await world.tenancy.listAuditEvents(acme.actor, { limit: 1 })).items;
    expect(revoked).toMatchObject({ type: 'invitation.revoked', target: { id }, details: { role: 'member' } });
  });

  it('needs the right to, and is of its own workspace', async () => {
    const { id } = await invite();
    for (const role of ['builder', 'auditor', 'member'] as const) {
      const actor = await world.actorOf('acme', await world.addPerson(acme.actor, role));
      expect(await codeOf(world.tenancy.createInvitation(actor, { roleKey: 'member', note: '', expiresInDays: 1 }))).toBe(
        'permission_denied',
      );
      expect(await codeOf(world.tenancy.revokeInvitation(actor, id))).toBe('permission_denied');
      expect(await codeOf(world.tenancy.listInvitations(actor, { limit: 5 }))).toBe('permission_denied');
    }
    expect(await codeOf(world.tenancy.revokeInvitation(other.actor, id))).toBe('not_found');
    expect((await world.tenancy.listInvitations(other.actor, { limit: 5 })).items).toEqual([]);
  });
});
