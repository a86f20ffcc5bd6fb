import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextAuthRoute } from '#lib/http/index.ts';
import { type OidcFault, type OidcPerson, type OidcServer, startOidcServer } from '#lib/testing/oidc-server.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { markPeer } from './peer.ts';
import { findSignedIn } from './session-cookie.ts';

const ORIGIN = 'http://127.0.0.1:3000';

let provider: OidcServer;
let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  provider = await startOidcServer({ id: 'bailiwick', secret: 'a secret of ours' });
  world = await createTenancyWorld({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'bailiwick',
    OIDC_CLIENT_SECRET: 'a secret of ours',
    OIDC_LABEL: 'Staff account',
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  acme = await world.addTenant('acme');
  other = await world.addTenant('other');
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

let lastAddress = 1;
/** A browser: keeps the cookies it is given, and goes where it is sent. */
class Browser {
  readonly jar = new Map<string, string>();
  readonly #address: string;

  constructor() {
    lastAddress += 1;
    this.#address = `203.0.113.${lastAddress}`;
  }

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async ask(url: string, body?: Record<string, unknown>): Promise<Response> {
    const headers = new Headers({ host: '127.0.0.1:3000', cookie: this.cookie });
    if (body)
      for (const [name, value] of [
        ['origin', ORIGIN],
        ['content-type', 'application/json'],
      ] as const)
        headers.set(name, value);
    markPeer(headers, { address: this.#address, isForwarded: false, clientAddress: this.#address });
    const request = new Request(url, {
      method: body ? 'POST' : 'GET',
      headers,
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    });
    const response = await nextAuthRoute(request, { params: Promise.resolve({}) });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/i.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return response;
  }

  /** Presses the button; gives where the provider is to be asked. */
  async begin(): Promise<string> {
    const { csrfToken } = (await (await this.ask(`${ORIGIN}/api/auth/csrf`)).json()) as { csrfToken: string };
    const answer = await this.ask(`${ORIGIN}/api/auth/signin/oidc`, { csrfToken, json: 'true', callbackUrl: `${ORIGIN}/acme/runs` });
    const { url } = (await answer.json()) as { url: string };
    return url;
  }

  /** Goes to the provider, which leads back at once. */
  async consent(at: string): Promise<string> {
    const answer = await fetch(at, { redirect: 'manual' });
    return answer.headers.get('location') ?? `no way back: ${answer.status} ${await answer.text()}`;
  }

  /** The whole way. Gives where it ends. */
  async signIn(): Promise<string> {
    const back = await this.consent(await this.begin());
    return (await this.ask(back)).headers.get('location') ?? '';
  }

  signedIn() {
    return findSignedIn(world.config, this.cookie);
  }
}

const arrive = async (person: OidcPerson, fault: OidcFault = null) => {
  provider.state.person = person;
  provider.state.fault = fault;
  const browser = new Browser();
  const endedAt = await browser.signIn();
  return { browser, endedAt, signedIn: await browser.signedIn() };
};
const verified = (sub: string, email: string, more: Record<string, unknown> = {}): OidcPerson => ({
  sub,
  email,
  email_verified: true,
  ...more,
});
const memberships = async (tenant: typeof acme) => {
  const { items } = await world.tenancy.listMembers(tenant.actor, { limit: 200 });
  return Object.fromEntries(items.map(({ email, role }) => [email, role.key]));
};
const setGroups = (tenant: typeof acme, groups: readonly (readonly [string, string])[]) =>
  world.tenancy.setGroupRoles(tenant.actor, { groupRoles: groups.map(([group, roleKey]) => ({ group, roleKey })) });
const lastPlatformEntry = async (type: string) => {
  const [row] = await world.owner`select payload from platform_audit where type = ${type} order by id desc limit 1`;
  return row ? JSON.parse(String(row.payload)) : null;
};

beforeEach(async () => {
  await setGroups(acme, []);
  await setGroups(other, []);
});

describe('a sign-in by the provider', () => {
  it('goes with PKCE, state and nonce, leads where one was going, and is on the record', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    provider.state.person = verified('walk', person.email);
    provider.state.fault = null;
    const browser = new Browser();
    const at = new URL(await browser.begin());
    expect(`${at.origin}${at.pathname}`).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      client_id: 'bailiwick',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${ORIGIN}/api/auth/callback/oidc`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const own = [...browser.jar.keys()].filter((name) => name.startsWith('bailiwick-') && name.endsWith(world.config.instanceId));
    expect(own).toHaveLength(browser.jar.size);
    const back = await browser.consent(at.href);
    const answer = await browser.ask(back);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${ORIGIN}/acme/runs`]);
    const signedIn = await browser.signedIn();
    expect(signedIn?.userId).toBe(person.userId);
    expect([...browser.jar.keys()].filter((name) => /-(state|nonce|pkce)-/.test(name))).toEqual([]);
    expect((await world.tenancy.resolveActor('acme', { kind: 'sign-in', ...(signedIn as NonNullable<typeof signedIn>) })).roleKey).toBe(
      'member',
    );
    const { items } = await world.tenancy.listAuditEvents(acme.actor, { limit: 10 });
    expect(items.slice(0, 2).map(({ type, details }) => [type, details.method ?? details.subject])).toEqual([
      ['sign-in.succeeded', 'oidc'],
      ['sign-in.linked', 'walk'],
    ]);
    // The way back serves once.
    const again = await browser.ask(back);
    expect(again.headers.get('location')).toBe('/sign-in?problem=stale');
  });

  it.each([
    ['wrong-nonce', 'stale'],
    ['wrong-state', 'stale'],
    ['expired-code', 'stale'],
    ['other-audience', 'unproved'],
    ['foreign-key', 'unproved'],
    ['token-500', 'provider-down'],
    ['declined', 'declined'],
  ] as const)('is refused when the provider answers with %s, and says what to do', async (fault, problem) => {
    const person = await world.addPerson(acme.actor, 'member');
    const { endedAt, signedIn } = await arrive(verified(`fault-${fault}`, person.email), fault);
    expect(endedAt).toBe(`/sign-in?problem=${problem}`);
    expect(signedIn).toBeNull();
    expect((await lastPlatformEntry('sign-in.failed')).details).toMatchObject({ reason: problem });
    const rows = await world.owner`select 1 from oidc_identity where subject = ${`fault-${fault}`}`;
    expect(rows).toHaveLength(0);
  });

  it('is refused in a browser that did not begin it', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    provider.state.person = verified('stolen', person.email);
    provider.state.fault = null;
    const victim = new Browser();
    const back = await victim.consent(await victim.begin());
    const thief = new Browser();
    await thief.begin();
    expect((await thief.ask(back)).headers.get('location')).toBe('/sign-in?problem=stale');
    expect(await thief.signedIn()).toBeNull();
    expect((await new Browser().ask(back)).headers.get('location')).toBe('/sign-in?problem=stale');
  });
});

describe('who somebody is', () => {
  it('is told by a verified address alone, the first time', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    for (const claims of [{ email_verified: false }, {}, { email_verified: 'no' }]) {
      const { endedAt, signedIn } = await arrive({ sub: 'unverified', email: person.email, ...claims });
      expect([endedAt, signedIn]).toEqual(['/sign-in?problem=unverified-email', null]);
    }
    expect((await world.signIn(person)).userId).toBe(person.userId);
  });

  it('is the subject from then on, whatever its address becomes; the password and the sign-ins of before end', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const before = await world.signIn(person);
    const link = await world.tenancy.makeMemberResetLink(acme.actor, person.userId);
    expect((await arrive(verified('linked', person.email))).signedIn?.userId).toBe(person.userId);
    expect(await codeOf(world.tenancy.getAccount({ kind: 'sign-in', ...before }))).toBe('unauthenticated');
    expect(await codeOf(world.tenancy.signInWithPassword(person, { ip: '192.0.2.9', userAgent: null }))).toBe('invalid_credentials');
    expect(await world.tenancy.findPasswordReset(link.url.split('/').at(-1) ?? '')).toBeNull();
    // Another address, not even verified; then another's address.
    expect((await arrive({ sub: 'linked', email: 'moved@example.test' })).signedIn?.userId).toBe(person.userId);
    expect((await arrive(verified('linked', acme.owner.email))).signedIn?.userId).toBe(person.userId);
    // Somebody else who comes by the old address is not that account.
    const { endedAt, signedIn } = await arrive(verified('newcomer', person.email));
    expect([endedAt, signedIn]).toEqual(['/sign-in?problem=other-identity', null]);
  });

  it('is never an operator’s account, nor one that is closed', async () => {
    expect((await arrive(verified('boss', acme.owner.email))).endedAt).toBe('/sign-in?problem=operator-account');
    expect((await world.signIn(acme.owner)).userId).toBe(acme.owner.userId);
    const person = await world.addPerson(acme.actor, 'member');
    await world.owner`update app_user set disabled_at = now() where email = ${person.email}`;
    expect((await arrive(verified('closed', person.email))).endedAt).toBe('/sign-in?problem=disabled-account');
    await world.owner`update app_user set disabled_at = null where email = ${person.email}`;
    expect((await arrive(verified('closed', person.email))).signedIn?.userId).toBe(person.userId);
    await world.owner`update app_user set disabled_at = now() where email = ${person.email}`;
    expect((await arrive(verified('closed', person.email))).endedAt).toBe('/sign-in?problem=disabled-account');
  });

  it('is a new account where a workspace lets one of the groups in, once however often it comes at once', async () => {
    const stranger = verified('stranger', 'stranger@example.test', { name: 'Sam Stranger', groups: ['staff'] });
    expect((await arrive(stranger)).endedAt).toBe('/sign-in?problem=no-workspace');
    await setGroups(acme, [['staff', 'member']]);
    provider.state.person = stranger;
    const browsers = [new Browser(), new Browser()];
    await Promise.all(browsers.map((browser) => browser.signIn()));
    const [first, second] = await Promise.all(browsers.map((browser) => browser.signedIn()));
    expect(first?.userId).toBeDefined();
    expect(second?.userId).toBe(first?.userId);
    expect((await memberships(acme))['stranger@example.test']).toBe('member');
    expect((await memberships(other))['stranger@example.test']).toBeUndefined();
    expect(await lastPlatformEntry('account.created')).toMatchObject({ target: { name: 'stranger@example.test' } });
  });
});

describe('roles that come from groups', () => {
  const email = 'grouped@example.test';
  const comeWith = (groups: unknown) => arrive(verified('grouped', email, { groups }));

  it('are given, changed and taken away at each sign-in, the first line that fits counting, and are on the record', async () => {
    await setGroups(acme, [
      ['admins', 'admin'],
      ['staff', 'member'],
    ]);
    await comeWith(['staff']);
    expect((await memberships(acme))[email]).toBe('member');
    await comeWith(['staff', 'admins', 'others']);
    expect((await memberships(acme))[email]).toBe('admin');
    // Too many for the token: nothing can be told, so nothing changes.
    await arrive(verified('grouped', email, { _claim_names: { groups: 'src1' } }));
    expect((await memberships(acme))[email]).toBe('admin');
    await comeWith([]);
    expect((await memberships(acme))[email]).toBeUndefined();
    const { items } = await world.tenancy.listAuditEvents(acme.actor, { limit: 200 });
    const seen = items.filter(({ target, type }) => target.name === email && type.startsWith('member.')).map(({ type }) => type);
    expect(seen).toEqual(['member.removed', 'member.changed', 'member.added']);
  });

  it('leave alone what somebody gave, and what somebody gave them since', async () => {
    const given = await world.addPerson(acme.actor, 'builder');
    await setGroups(acme, [['staff', 'member']]);
    await arrive(verified('given', given.email, { groups: ['staff'] }));
    expect((await memberships(acme))[given.email]).toBe('builder');
    await comeWith(['staff']);
    const { items } = await world.tenancy.listMembers(acme.actor, { limit: 200 });
    const member = items.find((item) => item.email === email);
    await world.tenancy.changeMember(acme.actor, member?.userId as typeof given.userId, { roleKey: 'builder' });
    await comeWith([]);
    expect((await memberships(acme))[email]).toBe('builder');
    await world.tenancy.removeMember(acme.actor, member?.userId as typeof given.userId);
  });

  it('never take a workspace its last owner, and say so on the record', async () => {
    await setGroups(other, [['chiefs', 'owner']]);
    const chief = verified('chief', 'chief@example.test', { groups: ['chiefs'] });
    await arrive(chief);
    expect((await memberships(other))['chief@example.test']).toBe('owner');
    await world.tenancy.changeMember(other.actor, other.owner.userId, { roleKey: 'admin' }).catch(() => undefined);
    await world.owner`update tenant_member set disabled_at = now() where user_id = ${other.owner.userId.slice(-32)}::uuid`;
    await arrive({ ...chief, groups: [] });
    const [row] = await world.owner`
      select r.key from tenant_member m join role r on r.id = m.role_id join app_user u on u.id = m.user_id where u.email = 'chief@example.test'`;
    expect(row?.key).toBe('owner');
    const kept = await world.owner`select payload from audit_event where type = 'member.kept'`;
    expect(kept.map(({ payload }) => JSON.parse(String(payload)).details)).toEqual([{ role: 'owner', reason: 'last-owner', wanted: null }]);
    await world.owner`update tenant_member set disabled_at = null where user_id = ${other.owner.userId.slice(-32)}::uuid`;
    await world.owner`
      update tenant_member set role_id = (select id from role where key = 'owner' and tenant_id = tenant_member.tenant_id) where user_id = ${other.owner.userId.slice(-32)}::uuid`;
    await arrive({ ...chief, groups: [] });
    expect((await memberships(other))['chief@example.test']).toBeUndefined();
  });

  it('are set by those who manage members, with no more rights than theirs, for their own workspace', async () => {
    const member = await world.actorOf('acme', await world.addPerson(acme.actor, 'member'));
    const admin = await world.actorOf('acme', await world.addPerson(acme.actor, 'admin'));
    const set = (actor: typeof admin, ...lines: { group: string; roleKey: string }[]) =>
      codeOf(world.tenancy.setGroupRoles(actor, { groupRoles: lines }));
    expect(await set(member, { group: 'staff', roleKey: 'member' })).toBe('permission_denied');
    expect(await codeOf(world.tenancy.getGroupRoles(member))).toBe('permission_denied');
    expect(await set(admin, { group: 'staff', roleKey: 'owner' })).toBe('rights_exceeded');
    expect(await set(admin, { group: 'staff', roleKey: 'no-such-role' })).toBe('invalid_request');
    expect(await set(admin, { group: 'a', roleKey: 'member' }, { group: 'a', roleKey: 'admin' })).toBe('invalid_request');
    await setGroups(acme, [['chiefs', 'owner']]);
    expect(await set(admin)).toBe('rights_exceeded');
    const view = await world.tenancy.getGroupRoles(admin);
    expect(view).toEqual({
      provider: { issuer: provider.issuer, label: 'Staff account', groupsClaim: 'groups' },
      groupRoles: [{ group: 'chiefs', roleKey: 'owner', roleName: 'Owner' }],
    });
    expect((await world.tenancy.getGroupRoles(other.actor)).groupRoles).toEqual([]);
    const { items } = await world.tenancy.listAuditEvents(acme.actor, { limit: 5 });
    expect(items.find(({ type }) => type === 'group-roles.updated')?.details).toEqual({
      from: [],
      to: [{ group: 'chiefs', role: 'owner' }],
    });
  });
});

// Last: each of these worlds takes the place of the one that the routes above speak to.
describe('the way to the provider', () => {
  it('begins nowhere while the provider is down, and again when it is back', async () => {
    const away = await createTenancyWorld({
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'bailiwick',
      OIDC_CLIENT_SECRET: 'x',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    expect(await codeOf(away.tenancy.openOidc('signin', world.sender))).toBe('unavailable');
    await away.close();
    const walled = await createTenancyWorld({ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'bailiwick', OIDC_CLIENT_SECRET: 'x' });
    const refused: unknown = await walled.tenancy.openOidc('signin', world.sender).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'unavailable', cause: { code: 'forbidden_address' } });
    await walled.close();
    const before = provider.state.discoveries;
    world.clock.advance(11 * 60_000);
    await world.tenancy.openOidc('signin', world.sender);
    await world.tenancy.openOidc('signin', world.sender);
    expect(provider.state.discoveries).toBe(before + 1);
  });

  it('from one address is limited like every attempt', async () => {
    const limited = await createTenancyWorld({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'bailiwick',
      OIDC_CLIENT_SECRET: 'x',
      OUTBOUND_ALLOW: '127.0.0.1',
      SIGN_IN_ATTEMPTS: '1',
    });
    const codes = await Promise.all(
      Array.from({ length: 11 }, () =>
        limited.tenancy.openOidc('callback', world.sender).then(
          () => 'ok',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(1);
    await limited.close();
  });
});
