import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Id, newId } from '#lib/kernel/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS, type Credentials, requireOwnRole } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
});
afterAll(() => world.close());

const roleIdOf = async (key: string) => {
  const { items } = await world.tenancy.listRoles(acme.actor);
  return items.find((role) => role.key === key)?.id as Id<'role'>;
};
/** An admin in a browser of their own. */
async function anAdmin() {
  const person = await world.addPerson(acme.actor, 'admin');
  const credentials: Credentials = { kind: 'sign-in', ...(await world.signIn(person)) };
  return {
    person,
    now: () => world.tenancy.resolveActor('acme', credentials),
    asOneself: () => world.tenancy.resolveActor('acme', credentials, { asOneself: true }),
  };
}
const recorded = async (type: string, userId: string) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.filter(
    (event) => event.type === type && event.actor.id === userId,
  );

describe('viewAsRole', () => {
  it('shows this sign-in what the role sees until it is ended, on the record, and no other sign-in', async () => {
    const { person, now, asOneself } = await anAdmin();
    await world.tenancy.viewAsRole(await now(), await roleIdOf('auditor'));
    const viewing = await now();
    expect(viewing).toMatchObject({ roleKey: 'auditor', roleName: 'Auditor', ownRole: { key: 'admin', name: 'Admin' } });
    expect([...viewing.permissions].sort()).toEqual(BUILT_IN_ROLE_PERMISSIONS.auditor.toSorted());
    expect(await world.tenancy.getMe(viewing)).toMatchObject({ role: { key: 'auditor' }, ownRole: { key: 'admin' } });
    expect((await world.actorOf('acme', person)).roleKey).toBe('admin');
    await world.tenancy.endRoleView(await asOneself());
    expect(await now()).toMatchObject({ roleKey: 'admin' });
    expect((await now()).ownRole).toBeUndefined();
    expect(await recorded('role.view-started', person.userId)).toMatchObject([
      { target: { kind: 'role', name: 'Auditor' }, details: { ownRole: 'admin' } },
    ]);
    expect(await recorded('role.view-ended', person.userId)).toHaveLength(1);
  });

  it('never gives a right above one’s own', async () => {
    const { now } = await anAdmin();
    await world.tenancy.viewAsRole(await now(), await roleIdOf('owner'));
    expect((await now()).permissions.has('tenant:delete')).toBe(false);
    expect((await now()).roleKey).toBe('owner');
  });

  it('changes nothing while it lasts', async () => {
    const { now, asOneself } = await anAdmin();
    await world.tenancy.viewAsRole(await now(), await roleIdOf('builder'));
    const viewing = await now();
    expect(() => requireOwnRole(viewing)).toThrow('You are looking as Builder');
    expect(() => requireOwnRole({ ...viewing, ownRole: undefined } as never)).not.toThrow();
    await expect(asOneself().then(requireOwnRole)).resolves.toBeUndefined();
  });

  it('ends by itself with the right to manage roles, and with the role', async () => {
    const { person, now } = await anAdmin();
    const role = await world.tenancy.createRole(acme.actor, { name: 'Reader', permissions: ['tenant:read'] });
    await world.tenancy.viewAsRole(await now(), role.id as Id<'role'>);
    expect((await now()).roleName).toBe('Reader');
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'builder' });
    expect(await now()).toMatchObject({ roleKey: 'builder' });
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'admin' });
    await world.tenancy.deleteRole(acme.actor, role.id as Id<'role'>);
    expect(await now()).toMatchObject({ roleKey: 'admin' });
  });

  it('is for who may manage roles, in a browser, of roles of this tenant, and holds in this tenant alone', async () => {
    const builder = await world.actorOf('acme', await world.addPerson(acme.actor, 'builder'));
    const member = await roleIdOf('member');
    expect(await codeOf(world.tenancy.viewAsRole(builder, member))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.endRoleView(builder))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.viewAsRole(acme.actor, newId('role')))).toBe('not_found');
    const { signInSessionId: _none, ...byKey } = acme.actor;
    expect(await codeOf(world.tenancy.viewAsRole(byKey, member))).toBe('invalid_request');

    const other = await world.addTenant('other');
    expect(await codeOf(world.tenancy.viewAsRole(other.actor, member))).toBe('not_found');
    await world.tenancy.addMember(other.actor, { email: acme.owner.email, name: 'x', roleKey: 'admin' });
    const credentials: Credentials = { kind: 'sign-in', ...(await world.signIn(acme.owner)) };
    await world.tenancy.viewAsRole(await world.tenancy.resolveActor('acme', credentials), member);
    expect(await world.tenancy.resolveActor('acme', credentials)).toMatchObject({ roleKey: 'member' });
    expect(await world.tenancy.resolveActor('other', credentials)).toMatchObject({ roleKey: 'admin' });
  });
});
