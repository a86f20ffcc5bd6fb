import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#lib/kernel/index.ts';
import { newId } from '#lib/kernel/index.ts';
import { codeOf, createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { findApiKeyHash } from '../auth/api-key-mint.ts';
import type { Actor } from './domain/actor.ts';

const MINUTE_MS = 60_000;

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
});
afterAll(() => world.close());

const enter = async (slug: string, person: Person): Promise<Actor> =>
  world.tenancy.resolveActor(slug, { kind: 'sign-in', ...(await world.signIn(person)) });

async function addKey(by: Actor, scopes: string[], expiresAt: string | null = null) {
  const { key, apiKey } = await world.tenancy.createApiKey(by, { name: 'a key', scopes, expiresAt });
  return { id: apiKey.id as Id<'apiKey'>, credentials: { kind: 'api-key' as const, hash: findApiKeyHash(key) ?? '' } };
}

describe('resolveActor by sign-in', () => {
  it('gives the rights of the role', async () => {
    const auditor = await world.addPerson(acme.actor, 'auditor');
    const actor = await enter('acme', auditor);
    expect(actor).toMatchObject({
      kind: 'user',
      scope: { tenantId: acme.tenantId, userId: auditor.userId },
      roleKey: 'auditor',
      timeZone: 'UTC',
    });
    expect(actor.permissions.has('audit:read')).toBe(true);
    expect(actor.permissions.has('member:manage')).toBe(false);
  });

  it('answers alike for a tenant of others, one that never was, and addresses that cannot be tenants', async () => {
    const credentials = { kind: 'sign-in' as const, ...(await world.signIn(acme.owner)) };
    for (const slug of ['other', 'never-was', 'api', '', 'a b', '../acme', 'acme\u0000', 'ACME', 'x'.repeat(500)]) {
      await expect(world.tenancy.resolveActor(slug, credentials)).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is nothing here.',
      });
    }
  });

  it('refuses nobody, a session of someone else, and one that is no session', async () => {
    expect(await codeOf(world.tenancy.resolveActor('acme', null))).toBe('unauthenticated');
    const { signInSessionId } = await world.signIn(acme.owner);
    expect(await codeOf(world.tenancy.resolveActor('acme', { kind: 'sign-in', userId: other.owner.userId, signInSessionId }))).toBe(
      'unauthenticated',
    );
    const made = { kind: 'sign-in' as const, userId: acme.owner.userId, signInSessionId: newId('signInSession') };
    expect(await codeOf(world.tenancy.resolveActor('acme', made))).toBe('unauthenticated');
  });

  it('sees a demotion, a lock-out and a removal at the next request', async () => {
    const admin = await world.addPerson(acme.actor, 'admin');
    const credentials = { kind: 'sign-in' as const, ...(await world.signIn(admin)) };
    const now = () => world.tenancy.resolveActor('acme', credentials);
    expect((await now()).permissions.has('member:manage')).toBe(true);
    await world.tenancy.changeMember(acme.actor, admin.userId, { roleKey: 'member' });
    expect((await now()).permissions.has('member:manage')).toBe(false);
    await world.tenancy.changeMember(acme.actor, admin.userId, { disabled: true });
    expect(await codeOf(now())).toBe('not_found');
    await world.tenancy.changeMember(acme.actor, admin.userId, { disabled: false });
    expect((await now()).roleKey).toBe('member');
    await world.tenancy.removeMember(acme.actor, admin.userId);
    expect(await codeOf(now())).toBe('not_found');
  });

  it('refuses a disabled account, an ended session and an expired one', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const ended = { kind: 'sign-in' as const, ...(await world.signIn(person)) };
    const kept = { kind: 'sign-in' as const, ...(await world.signIn(person)) };
    await world.tenancy.revokeSignInSession(person, ended.signInSessionId);
    expect(await codeOf(world.tenancy.resolveActor('acme', ended))).toBe('unauthenticated');
    expect((await world.tenancy.resolveActor('acme', kept)).roleKey).toBe('member');
    await world.owner`update app_user set disabled_at = now() where email = ${person.email}`;
    expect(await codeOf(world.tenancy.resolveActor('acme', kept))).toBe('unauthenticated');
    await world.owner`update app_user set disabled_at = null where email = ${person.email}`;
    await world.owner`update sign_in_session set expires_at = now() - interval '1 second' where revoked_at is null and user_id = (select id from app_user where email = ${person.email})`;
    expect(await codeOf(world.tenancy.resolveActor('acme', kept))).toBe('unauthenticated');
  });
});

describe('resolveActor by API key', () => {
  it('gives what the scopes and the role have in common, at the time of use', async () => {
    const admin = await world.addPerson(acme.actor, 'admin');
    const { credentials } = await addKey(await enter('acme', admin), ['member:read', 'run:read', 'tenant:read']);
    const now = () => world.tenancy.resolveActor('acme', credentials);
    expect([...(await now()).permissions].sort()).toEqual(['member:read', 'run:read', 'tenant:read']);
    expect((await now()).kind).toBe('api-key');
    await world.tenancy.changeMember(acme.actor, admin.userId, { roleKey: 'member' });
    expect([...(await now()).permissions].sort()).toEqual(['run:read', 'tenant:read']);
  });

  it('serves in its own tenant alone, with the answer that any other address gets', async () => {
    const { credentials } = await addKey(acme.actor, ['tenant:read']);
    for (const slug of ['other', 'never-was']) {
      await expect(world.tenancy.resolveActor(slug, credentials)).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is nothing here.',
      });
    }
  });

  it('refuses a key that was never made, was revoked, has expired, or whose maker is gone', async () => {
    const refused = async (credentials: { kind: 'api-key'; hash: string }) => codeOf(world.tenancy.resolveActor('acme', credentials));
    expect(await refused({ kind: 'api-key', hash: '0'.repeat(64) })).toBe('unauthenticated');

    const revoked = await addKey(acme.actor, ['tenant:read']);
    await world.tenancy.revokeApiKey(acme.actor, revoked.id);
    expect(await refused(revoked.credentials)).toBe('unauthenticated');

    const builder = await world.addPerson(acme.actor, 'admin');
    const made = await addKey(await enter('acme', builder), ['tenant:read']);
    await world.tenancy.changeMember(acme.actor, builder.userId, { disabled: true });
    expect(await refused(made.credentials)).toBe('unauthenticated');
    await world.tenancy.changeMember(acme.actor, builder.userId, { disabled: false });
    await world.tenancy.removeMember(acme.actor, builder.userId);
    await world.tenancy.addMember(acme.actor, { email: builder.email, name: 'again', roleKey: 'admin' });
    expect(await refused(made.credentials)).toBe('unauthenticated');

    const brief = await addKey(acme.actor, ['tenant:read'], new Date(world.clock.now().getTime() + MINUTE_MS).toISOString());
    expect((await world.tenancy.resolveActor('acme', brief.credentials)).kind).toBe('api-key');
    world.clock.advance(MINUTE_MS + 1);
    expect(await refused(brief.credentials)).toBe('unauthenticated');
  });

  it('notes the use, at most once a minute', async () => {
    const { id, credentials } = await addKey(acme.actor, ['tenant:read']);
    const lastUsed = async () =>
      (await world.tenancy.listApiKeys(acme.actor, { limit: 50 })).items.find((key) => key.id === id)?.lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await world.tenancy.resolveActor('acme', credentials);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    world.clock.advance(MINUTE_MS / 2);
    await world.tenancy.resolveActor('acme', credentials);
    expect(await lastUsed()).toBe(first);
    world.clock.advance(MINUTE_MS);
    await world.tenancy.resolveActor('acme', credentials);
    expect(await lastUsed()).not.toBe(first);
  });
});

describe('actorOfRun', () => {
  it('reads the rights of now, and refuses when there are none', async () => {
    const person = await world.addPerson(acme.actor, 'builder');
    const run = { tenantId: acme.tenantId, userId: person.userId, apiKeyId: null };
    expect((await world.tenancy.actorOfRun(run)).permissions.has('knowledge:write')).toBe(true);
    await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'member' });
    expect((await world.tenancy.actorOfRun(run)).permissions.has('knowledge:write')).toBe(false);
    await world.tenancy.removeMember(acme.actor, person.userId);
    expect(await codeOf(world.tenancy.actorOfRun(run))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.actorOfRun({ ...run, tenantId: other.tenantId }))).toBe('permission_denied');
  });

  it('keeps a run that a key asked for within the scopes of that key, while it serves', async () => {
    const { id } = await addKey(acme.actor, ['run:read']);
    const run = { tenantId: acme.tenantId, userId: acme.owner.userId, apiKeyId: id };
    expect([...(await world.tenancy.actorOfRun(run)).permissions]).toEqual(['run:read']);
    await world.tenancy.revokeApiKey(acme.actor, id);
    expect(await codeOf(world.tenancy.actorOfRun(run))).toBe('permission_denied');
  });
});

describe('200 readings at once', () => {
  it('never mix the tenants', async () => {
    const acmeKey = await addKey(acme.actor, ['tenant:read']);
    const otherKey = await addKey(other.actor, ['tenant:read']);
    const actors = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        world.tenancy.resolveActor(index % 2 ? 'acme' : 'other', (index % 2 ? acmeKey : otherKey).credentials),
      ),
    );
    expect(actors.map((actor) => actor.scope.tenantId)).toEqual(actors.map((_, index) => (index % 2 ? acme.tenantId : other.tenantId)));
  });
});
