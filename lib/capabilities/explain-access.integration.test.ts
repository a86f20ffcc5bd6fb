import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS, BUILT_IN_ROLES } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import type { Capability } from './domain/capability.ts';
import { explainAccess } from './explain-access.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
});
afterAll(() => world.close());

const capability = (change: Partial<Capability['metadata']>, handler?: Capability['handler']): Capability => ({
  metadata: {
    id: 'x',
    version: '1',
    status: 'active',
    domain: 'test',
    title: { en: 'X', 'zh-CN': 'X' },
    description: { en: 'X', 'zh-CN': 'X' },
    keywords: [],
    examples: [],
    inputSchema: { type: 'object' },
    requiredPermissions: ['capability:invoke', 'knowledge:write'],
    sideEffect: 'read',
    idempotency: 'idempotent',
    timeoutMs: 1000,
    ...change,
  },
  ...(handler && { handler }),
});
const handler = async () => ({ output: {}, text: '' });
const CAPABILITIES: Record<string, Capability> = {
  'notes.write': capability({}, handler),
  'notes.wipe': capability({ requiredPermissions: ['capability:invoke'], sideEffect: 'destructive' }, handler),
  'notes.lost': capability({ requiredPermissions: ['capability:invoke'] }),
  'notes.off': capability({ status: 'disabled' }, handler),
};
const explain = (query: Parameters<typeof explainAccess>[2], by = acme.actor) =>
  explainAccess(
    { unitOfWork: world.unitOfWork, actors: world.tenancy, findCapability: async (_tenant, id) => CAPABILITIES[id] },
    by,
    query,
  );

describe('explainAccess', () => {
  it('says of each permission what the role says, and who could give it', async () => {
    for (const role of BUILT_IN_ROLES) {
      const { userId } = await world.addPerson(acme.actor, role);
      for (const permission of ['run:audit', 'member:manage', 'memory:read'] as const) {
        const isAllowed = BUILT_IN_ROLE_PERMISSIONS[role].includes(permission);
        expect(await explain({ user: userId, permission })).toMatchObject({
          isAllowed,
          rule: isAllowed ? 'granted' : 'lacking',
          lacking: isAllowed ? [] : [permission],
          person: { userId, role: { key: role } },
        });
      }
    }
    const { grantingRoles, granters } = await explain({ permission: 'tenant:delete' });
    expect(grantingRoles.map(({ key }) => key)).toEqual(['owner']);
    expect(granters[0]).toEqual({ name: 'Owner of acme', email: acme.owner.email });
  });

  it('says of a capability which permission is lacking, that it is not there, or that nothing answers it', async () => {
    const member = await world.addPerson(acme.actor, 'member');
    const of = (id: string) => explain({ user: member.userId, capability: id });
    expect(await of('notes.write')).toMatchObject({ isAllowed: false, rule: 'lacking', lacking: ['knowledge:write'] });
    expect(await of('notes.wipe')).toMatchObject({ isAllowed: true, rule: 'granted', needsApproval: true });
    expect(await of('notes.lost')).toMatchObject({ isAllowed: false, rule: 'no-handler' });
    expect(await of('notes.off')).toMatchObject({ isAllowed: false, rule: 'unknown' });
    expect(await of('notes.never')).toMatchObject({ isAllowed: false, rule: 'unknown' });
  });

  it('follows a change at once, a lock-out and a closed account too', async () => {
    const person = await world.addPerson(acme.actor, 'builder');
    const ask = () => explain({ user: person.userId, permission: 'knowledge:write' });
    expect(await ask()).toMatchObject({ isAllowed: true });
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'member' });
    expect(await ask()).toMatchObject({ isAllowed: false, rule: 'lacking' });
    await world.tenancy.changeMember(acme.actor, person.userId, { disabled: true });
    expect(await ask()).toMatchObject({ isAllowed: false, rule: 'locked-out' });
    await world.tenancy.changeMember(acme.actor, person.userId, { disabled: false });
    await world.owner`update app_user set disabled_at = now() where email = ${person.email}`;
    expect(await ask()).toMatchObject({ isAllowed: false, rule: 'closed-account' });
  });

  it('needs the right to see members and roles, finds members alone, and takes one question', async () => {
    const builder = await world.actorOf('acme', await world.addPerson(acme.actor, 'builder'));
    expect(await codeOf(explain({ permission: 'tenant:read' }, builder))).toBe('permission_denied');
    const other = await world.addTenant('other');
    for (const user of [other.owner.userId, newId('user'), 'nonsense'])
      expect(await codeOf(explain({ user, permission: 'tenant:read' }))).toBe('not_found');
    expect(await codeOf(explain({}))).toBe('invalid_request');
    expect(await codeOf(explain({ permission: 'tenant:read', capability: 'notes.write' }))).toBe('invalid_request');
  });
});
