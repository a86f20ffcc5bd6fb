import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld({ SIGN_IN_ATTEMPTS: '5', SIGN_IN_WINDOW_MS: '60000' });
  acme = await world.addTenant('acme');
});
afterAll(() => world.close());

let lastAddress = 1;
const anAddress = () => {
  lastAddress += 1;
  return { ip: `198.51.100.${lastAddress}`, userAgent: null };
};

describe('signInWithPassword', () => {
  it('takes the address however it is written, and keeps where it came from', async () => {
    const { userId } = await world.tenancy.signInWithPassword(
      { email: ` ${acme.owner.email.toUpperCase()} `.trim(), password: acme.owner.password },
      { ip: '192.0.2.55', userAgent: 'Browser/1' },
    );
    expect(userId).toBe(acme.owner.userId);
    const [row] = await world.owner`select ip, user_agent from sign_in_session where ip = '192.0.2.55'`;
    expect(row).toEqual({ ip: '192.0.2.55', user_agent: 'Browser/1' });
  });

  it('refuses a wrong password, an unknown account, a closed account and nonsense alike', async () => {
    const closed = await world.addPerson(acme.actor, 'member');
    await world.owner`update app_user set disabled_at = now() where email = ${closed.email}`;
    const sender = anAddress();
    const refusals = [
      { email: acme.owner.email, password: 'wrong password' },
      { email: 'nobody@example.test', password: 'wrong password' },
      { email: closed.email, password: closed.password },
      { email: 'no address', password: 'x' },
      { email: { $ne: null }, password: ['x'] },
      null,
    ];
    const messages = new Set<string>();
    for (const given of refusals) {
      const startedAt = performance.now();
      const error: unknown = await world.tenancy.signInWithPassword(given, sender).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'invalid_credentials' });
      expect(performance.now() - startedAt).toBeGreaterThan(245);
      messages.add(String(error));
    }
    expect(messages.size).toBe(1);
  });

  it('puts successes and failures on the record, of the platform and of the tenants concerned', async () => {
    const stranger = await world.addTenant('elsewhere');
    const sender = { ip: '192.0.2.77', userAgent: null };
    await codeOf(world.tenancy.signInWithPassword({ email: acme.owner.email, password: 'wrong password' }, sender));
    await codeOf(world.tenancy.signInWithPassword({ email: 'nobody@example.test', password: 'wrong password' }, sender));
    await world.tenancy.signInWithPassword(acme.owner, sender);
    const platform = await world.owner`select type, target_id, payload from platform_audit where payload like '%192.0.2.77%' order by id`;
    expect(platform.map((row) => [row.type, row.target_id === 'unknown', JSON.parse(String(row.payload)).details.reason ?? null])).toEqual([
      ['sign-in.failed', false, 'wrong-password'],
      ['sign-in.failed', true, 'unknown-account'],
      ['sign-in.succeeded', false, null],
    ]);
    const seen = async (actor: typeof acme.actor) =>
      (await world.tenancy.listAuditEvents(actor, { limit: 50 })).items
        .filter((event) => event.details.ip === sender.ip)
        .map((event) => event.type);
    expect(await seen(acme.actor)).toEqual(['sign-in.succeeded', 'sign-in.failed']);
    expect(await seen(stranger.actor)).toEqual([]);
    expect(JSON.stringify(platform)).not.toContain('wrong password');
  });

  it('stops after too many attempts for one account from one address, and says when to come back', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const sender = anAddress();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await codeOf(world.tenancy.signInWithPassword({ ...person, password: 'wrong password' }, sender))).toBe('invalid_credentials');
    }
    const refused: unknown = await world.tenancy.signInWithPassword(person, sender).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: expect.any(Number) } });
    // From elsewhere the person still gets in, and others get in from there.
    expect((await world.tenancy.signInWithPassword(person, anAddress())).userId).toBe(person.userId);
    expect((await world.tenancy.signInWithPassword(acme.owner, sender)).userId).toBe(acme.owner.userId);
  });

  it('forgets the failures before a success', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const sender = anAddress();
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1)
        await codeOf(world.tenancy.signInWithPassword({ ...person, password: 'wrong password' }, sender));
      expect((await world.tenancy.signInWithPassword(person, sender)).userId).toBe(person.userId);
    }
  });

  it('stops one address that tries many accounts', async () => {
    const sender = anAddress();
    const codes = await Promise.all(
      Array.from({ length: 52 }, (_, index) =>
        codeOf(world.tenancy.signInWithPassword({ email: `guess-${index}@example.test`, password: 'password123' }, sender)),
      ),
    );
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2);
  });
});

describe('sign-in sessions', () => {
  it('are listed to their person, who can end them from elsewhere', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const here = await world.signIn(person);
    const there = await world.signIn(person);
    const account = await world.tenancy.getAccount({ kind: 'sign-in', ...here });
    const { items } = await world.tenancy.listSignInSessions(account);
    expect(items.map(({ id, isCurrent }) => ({ id, isCurrent })).sort((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: here.signInSessionId, isCurrent: true },
      { id: there.signInSessionId, isCurrent: false },
    ]);
    await world.tenancy.revokeSignInSession(account, there.signInSessionId);
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...there }))).toBe('unauthenticated');
    expect(await codeOf(world.tenancy.revokeSignInSession(account, there.signInSessionId))).toBe('not_found');
    expect((await world.tenancy.listSignInSessions(account)).items).toHaveLength(1);
  });

  it('of someone else are not there', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const account = await world.tenancy.getAccount({ kind: 'sign-in', ...(await world.signIn(person)) });
    const theirs = await world.signIn(acme.owner);
    for (const id of [theirs.signInSessionId, newId('signInSession')])
      expect(await codeOf(world.tenancy.revokeSignInSession(account, id))).toBe('not_found');
    expect((await world.tenancy.getAccount({ kind: 'sign-in', ...theirs })).userId).toBe(acme.owner.userId);
  });
});

describe('updateAccount', () => {
  it('changes name and language, and leaves the rest', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const credentials = { kind: 'sign-in' as const, ...(await world.signIn(person)) };
    await world.tenancy.updateAccount(await world.tenancy.getAccount(credentials), { locale: 'zh-CN', name: '小明' });
    expect(await world.tenancy.getAccount(credentials)).toMatchObject({ name: '小明', locale: 'zh-CN', theme: null, email: person.email });
    await world.tenancy.updateAccount(await world.tenancy.getAccount(credentials), { locale: null });
    expect(await world.tenancy.getAccount(credentials)).toMatchObject({ name: '小明', locale: null });
  });
});
