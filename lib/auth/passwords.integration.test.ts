import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import type { AccountQuery } from '#lib/tenancy/contract.ts';
import { codeOf, createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

const NEW_PASSWORD = 'another horse battery';
const DAY_MS = 24 * 60 * 60 * 1000;

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld({ SIGN_IN_ATTEMPTS: '5', SIGN_IN_WINDOW_MS: '60000' });
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
});
afterAll(() => world.close());

let lastAddress = 1;
const anAddress = () => {
  lastAddress += 1;
  return { ip: `203.0.113.${lastAddress}`, userAgent: null };
};
const accountOf = async (person: Person) => world.tenancy.getAccount({ kind: 'sign-in', ...(await world.signIn(person)) });
const operator = () => accountOf(acme.owner);
const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? '';
const signsInWith = (person: Person, password: string) =>
  world.tenancy.signInWithPassword({ email: person.email, password }, anAddress()).then(
    () => true,
    () => false,
  );
const recorded = async (actor: typeof acme.actor, person: Person, type: string) =>
  (await world.tenancy.listAuditEvents(actor, { limit: 200 })).items.filter(
    (event) => event.type === type && event.target.id === person.userId,
  );

describe('changePassword', () => {
  it('changes it, signs out everywhere else, and is on the record of platform and tenants', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const elsewhere = await world.signIn(person);
    const account = await accountOf(person);
    await world.tenancy.changePassword(account, { currentPassword: person.password, newPassword: NEW_PASSWORD }, anAddress());
    expect(await signsInWith(person, person.password)).toBe(false);
    expect(await signsInWith(person, NEW_PASSWORD)).toBe(true);
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...elsewhere }))).toBe('unauthenticated');
    expect((await world.tenancy.getAccount({ kind: 'sign-in', ...account })).email).toBe(person.email);
    expect(await recorded(acme.actor, person, 'password.changed')).toHaveLength(1);
    expect(await recorded(other.actor, person, 'password.changed')).toHaveLength(0);
    const platform =
      await world.owner`select payload from platform_audit where type = 'password.changed' and payload like ${`%${person.userId}%`}`;
    expect(platform).toHaveLength(1);
    expect(String(platform[0]?.payload)).not.toContain(NEW_PASSWORD);
  });

  it('asks for the current password, counts wrong ones with the attempts to sign in, and records them', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const account = await accountOf(person);
    const sender = anAddress();
    const change = (currentPassword: string) =>
      codeOf(world.tenancy.changePassword(account, { currentPassword, newPassword: NEW_PASSWORD }, sender));
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await change('not my password')).toBe('invalid_credentials');
    expect(await change(person.password)).toBe('rate_limited');
    expect(await codeOf(world.tenancy.signInWithPassword(person, sender))).toBe('rate_limited');
    expect(await signsInWith(person, person.password)).toBe(true);
    const failures = await recorded(acme.actor, person, 'sign-in.failed');
    expect(failures.map((event) => event.details.reason)).toEqual(Array.from({ length: 5 }, () => 'wrong-current-password'));
  });

  it('gives nobody a password who signs in elsewhere', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const account = await accountOf(person);
    await world.owner`update app_user set password_hash = null where email = ${person.email}`;
    expect(
      await codeOf(world.tenancy.changePassword(account, { currentPassword: person.password, newPassword: NEW_PASSWORD }, anAddress())),
    ).toBe('invalid_credentials');
    expect((await world.tenancy.getAccount({ kind: 'sign-in', ...account })).hasPassword).toBe(false);
  });
});

describe('a reset link', () => {
  it('by an admin sets a new password once, signs out everywhere, and is on the record', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const before = await world.signIn(person);
    const link = await world.tenancy.makeMemberResetLink(acme.actor, person.userId);
    expect(link.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/reset\/[\w-]{43}$/);
    expect(await world.tenancy.findPasswordReset(tokenOf(link))).toEqual({ email: person.email });
    const answers = await Promise.allSettled(
      ['first new password', 'second new password'].map((password) =>
        world.tenancy.resetPassword({ token: tokenOf(link), password }, anAddress()),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = answers[0]?.status === 'fulfilled' ? 'first new password' : 'second new password';
    expect(await signsInWith(person, winner)).toBe(true);
    expect(await signsInWith(person, person.password)).toBe(false);
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...before }))).toBe('unauthenticated');
    expect(await codeOf(world.tenancy.resetPassword({ token: tokenOf(link), password: NEW_PASSWORD }, anAddress()))).toBe('not_found');
    expect(await world.tenancy.findPasswordReset(tokenOf(link))).toBeNull();
    expect(await recorded(acme.actor, person, 'password.reset-link-made')).toHaveLength(1);
    expect(await recorded(acme.actor, person, 'password.reset')).toHaveLength(1);
  });

  it('is stored as a hash alone, expires, and is over when another is made, the password is changed or the account is closed', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const serves = async (link: { url: string }) => (await world.tenancy.findPasswordReset(tokenOf(link))) !== null;
    const first = await world.tenancy.makeMemberResetLink(acme.actor, person.userId);
    const rows = await world.owner`select * from password_reset`;
    expect(JSON.stringify(rows)).not.toContain(tokenOf(first));
    const second = await world.tenancy.makeMemberResetLink(acme.actor, person.userId);
    expect([await serves(first), await serves(second)]).toEqual([false, true]);
    await world.tenancy.changePassword(
      await accountOf(person),
      { currentPassword: person.password, newPassword: person.password },
      anAddress(),
    );
    expect(await serves(second)).toBe(false);
    const third = await world.tenancy.makeMemberResetLink(acme.actor, person.userId);
    await world.owner`update app_user set disabled_at = now() where email = ${person.email}`;
    expect(await serves(third)).toBe(false);
    expect(await codeOf(world.tenancy.resetPassword({ token: tokenOf(third), password: NEW_PASSWORD }, anAddress()))).toBe('not_found');
    await world.owner`update app_user set disabled_at = null where email = ${person.email}`;
    expect(await serves(third)).toBe(true);
    await world.owner`update password_reset set expires_at = now() where expires_at > now()`;
    expect(await codeOf(world.tenancy.resetPassword({ token: tokenOf(third), password: NEW_PASSWORD }, anAddress()))).toBe('not_found');
    expect(new Date(third.expiresAt).getTime()).toBeLessThan(Date.now() + DAY_MS + 1000);
  });

  it('is made by those who manage members, for members with no more rights than theirs', async () => {
    const admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
    const member = await world.addPerson(acme.actor, 'member');
    const plain = await world.actorOf('acme', member);
    expect(await codeOf(world.tenancy.makeMemberResetLink(plain, member.userId))).toBe('permission_denied');
    // An owner who is no operator, and a member nowhere else: only their rights stand in the way.
    const adminThere = await world.actorOf('other', await world.addPerson(other.actor, 'admin'));
    expect(await codeOf(world.tenancy.makeMemberResetLink(adminThere, other.owner.userId))).toBe('rights_exceeded');
    expect((await world.tenancy.makeMemberResetLink(admin, member.userId)).url).toContain('/reset/');
    for (const nobody of [newId('user'), other.owner.userId])
      expect(await codeOf(world.tenancy.makeMemberResetLink(admin, nobody))).toBe('not_found');
  });

  it('by an admin reaches no further than their tenant: neither when it is made nor later', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const link = await world.tenancy.makeMemberResetLink(acme.actor, person.userId);
    await world.tenancy.addMember(other.actor, { email: person.email, name: 'x', roleKey: 'admin' });
    await world.tenancy.changeMember(other.actor, person.userId, { disabled: true });
    expect(await world.tenancy.findPasswordReset(tokenOf(link))).toBeNull();
    expect(await codeOf(world.tenancy.resetPassword({ token: tokenOf(link), password: NEW_PASSWORD }, anAddress()))).toBe('not_found');
    expect(await codeOf(world.tenancy.makeMemberResetLink(acme.actor, person.userId))).toBe('rights_exceeded');
    expect(await codeOf(world.tenancy.makeMemberResetLink(acme.actor, acme.owner.userId))).toBe('rights_exceeded');
    expect(await signsInWith(person, person.password)).toBe(true);
  });

  it('by an operator serves any account, and nobody else can make one', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    await world.tenancy.addMember(other.actor, { email: person.email, name: 'x', roleKey: 'admin' });
    const link = await world.tenancy.makeOperatorResetLink(await operator(), person.userId);
    await world.tenancy.resetPassword({ token: tokenOf(link), password: NEW_PASSWORD }, anAddress());
    expect(await signsInWith(person, NEW_PASSWORD)).toBe(true);
    for (const { actor } of [acme, other]) {
      expect(await recorded(actor, person, 'password.reset-link-made')).toHaveLength(1);
      expect(await recorded(actor, person, 'password.reset')).toHaveLength(1);
    }
    expect(await codeOf(world.tenancy.makeOperatorResetLink(await accountOf(other.owner), person.userId))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.makeOperatorResetLink(await operator(), newId('user')))).toBe('not_found');
  });
});

describe('an operator', () => {
  it('shuts an account out of every tenant at once, and lets it in again', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const signedIn = await world.signIn(person);
    const closed = await world.tenancy.setAccountDisabled(await operator(), person.userId, { disabled: true });
    expect(closed).toEqual({ userId: person.userId, email: person.email, name: 'The member', disabled: true, isOperator: false });
    expect(await codeOf(world.tenancy.resolveActor('acme', { kind: 'sign-in', ...signedIn }))).toBe('unauthenticated');
    expect(await signsInWith(person, person.password)).toBe(false);
    await world.tenancy.setAccountDisabled(await operator(), person.userId, { disabled: false });
    // What was ended stays ended.
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...signedIn }))).toBe('unauthenticated');
    expect(await signsInWith(person, person.password)).toBe(true);
    expect(await recorded(acme.actor, person, 'account.disabled')).toHaveLength(1);
    expect(await recorded(acme.actor, person, 'account.enabled')).toHaveLength(1);
  });

  it('leaves no workspace without an owner', async () => {
    const lonely = await world.addTenant('lonely');
    const close = async () => world.tenancy.setAccountDisabled(await operator(), lonely.owner.userId, { disabled: true });
    await expect(close()).rejects.toMatchObject({ code: 'last_owner', details: { tenants: ['lonely'] } });
    await world.addPerson(lonely.actor, 'owner');
    expect(await close()).toMatchObject({ disabled: true });
  });

  it('alone may do so and look accounts up, and not to themselves', async () => {
    const owner = await accountOf(other.owner);
    expect(await codeOf(world.tenancy.setAccountDisabled(owner, acme.owner.userId, { disabled: true }))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.listAccounts(owner, { q: acme.owner.email, limit: 50 }))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.setAccountDisabled(await operator(), acme.owner.userId, { disabled: true }))).toBe('invalid_request');
    const listed = async (query: Omit<AccountQuery, 'limit'>) => {
      const { items } = await world.tenancy.listAccounts(await operator(), { limit: 50, ...query });
      return items.map(({ email }) => email);
    };
    expect(await listed({ q: other.owner.email.toUpperCase() })).toEqual([other.owner.email]);
    expect(await listed({ q: other.owner.email, state: 'closed' })).toEqual([]);
    expect(await listed({ q: '%' })).toEqual([]);
    const person = await world.addPerson(acme.actor, 'member');
    await world.tenancy.setAccountDisabled(await operator(), person.userId, { disabled: true });
    expect(await listed({ q: person.email, state: 'closed' })).toEqual([person.email]);
    expect(await listed({ q: person.email, state: 'open' })).toEqual([]);
  });

  it('reads accounts page by page, each once', async () => {
    const pages: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await world.tenancy.listAccounts(await operator(), { limit: 2, ...(cursor && { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      pages.push(...page.items.map(({ userId }) => userId));
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages.length).toBeGreaterThan(2);
    expect(new Set(pages).size).toBe(pages.length);
    expect(await codeOf(world.tenancy.listAccounts(await operator(), { limit: 2, cursor: 'nonsense' }))).toBe('invalid_request');
  });
});

describe('endSignInSessions', () => {
  it('ends all of a person’s, or all but the one that asks, and nobody else’s', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const [here, there] = [await world.signIn(person), await world.signIn(person)];
    const bystander = await world.signIn(acme.owner);
    const account = await world.tenancy.getAccount({ kind: 'sign-in', ...here });
    await world.tenancy.endSignInSessions(account, { keep: 'current' });
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...there }))).toBe('unauthenticated');
    expect((await world.tenancy.listSignInSessions(account)).items).toHaveLength(1);
    await world.tenancy.endSignInSessions(account, {});
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...here }))).toBe('unauthenticated');
    expect((await world.tenancy.getAccount({ kind: 'sign-in', ...bystander })).email).toBe(acme.owner.email);
  });
});
