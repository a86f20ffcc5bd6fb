import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { markPeer } from '../auth/peer.ts';
import { findSignedIn } from '../auth/session-cookie.ts';
import { accountRoute } from './account-route.ts';
import { nextAuthRoute } from './next-auth-route.ts';

const ORIGIN = 'http://127.0.0.1:3000';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld({ SIGN_IN_ATTEMPTS: '3' });
  acme = await world.addTenant('acme');
});
afterAll(() => world.close());

/** A browser: keeps the cookies it is given. */
class Browser {
  readonly jar = new Map<string, string>();
  readonly #from: { address: string; isForwarded: boolean };

  constructor(from: { address: string; isForwarded: boolean } = { address: '203.0.113.5', isForwarded: false }) {
    this.#from = from;
  }

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(path: string, init: { method?: string; body?: Record<string, unknown>; headers?: Record<string, string> } = {}) {
    const method = init.method ?? (init.body ? 'POST' : 'GET');
    const headers = new Headers({
      host: '127.0.0.1:3000',
      cookie: this.cookie,
      ...(method === 'GET' ? {} : { origin: ORIGIN, 'content-type': 'application/json' }),
      ...init.headers,
    });
    markPeer(headers, { ...this.#from, clientAddress: this.#from.address });
    const request = new Request(`${ORIGIN}/api/auth/${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(init.body ? { body: JSON.stringify(init.body) } : {}),
    });
    const response = await nextAuthRoute(request, { params: Promise.resolve({}) });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  async signIn(provider: string, given: Record<string, unknown>, headers?: Record<string, string>) {
    const { csrfToken } = (await this.send('csrf')).body;
    return this.send(`callback/${provider}`, {
      body: { ...given, csrfToken, json: 'true', callbackUrl: `${ORIGIN}/acme` },
      ...(headers ? { headers } : {}),
    });
  }

  session() {
    return this.send('session');
  }
}

describe('signing in with a password', () => {
  it('gives a cookie that holds two ids and nothing else', async () => {
    const browser = new Browser();
    const answer = await browser.signIn('password', { email: acme.owner.email, password: acme.owner.password });
    expect(answer).toMatchObject({ status: 200, body: { url: `${ORIGIN}/acme` } });
    expect(answer.headers.getSetCookie().find((line) => line.startsWith('bailiwick-session-'))).toMatch(/HttpOnly; SameSite=Lax/i);
    expect(await findSignedIn(world.config, browser.cookie)).toMatchObject({ userId: acme.owner.userId });
    expect((await browser.session()).body).toMatchObject({ user: { email: acme.owner.email, name: 'Owner of acme' } });
  });

  it('says in the API’s form what went wrong, and to next-auth’s client where it reads it', async () => {
    const browser = new Browser();
    const refused = await browser.signIn('password', { email: acme.owner.email, password: 'wrong password' });
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials', url: `${ORIGIN}/api/auth/error?error=invalid_credentials`, traceId: expect.any(String) },
    });
    expect((await browser.session()).body).toEqual({});
  });

  it('is limited, and says for how long', async () => {
    const browser = new Browser({ address: '203.0.113.66', isForwarded: false });
    for (let attempt = 0; attempt < 3; attempt += 1)
      await browser.signIn('password', { email: acme.owner.email, password: 'wrong password' });
    const limited = await browser.signIn('password', { email: acme.owner.email, password: acme.owner.password });
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited', details: { retryAfterSeconds: expect.any(Number) } } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('needs the form’s token, and comes from no other site', async () => {
    const browser = new Browser();
    const given = { email: acme.owner.email, password: acme.owner.password, json: 'true' };
    expect(await browser.send('callback/password', { body: { ...given, csrfToken: 'guess' } })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_origin' },
    });
    expect(await browser.signIn('password', given, { origin: 'https://evil.test' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_origin' },
    });
    expect((await browser.session()).body).toEqual({});
  });

  it('leads to no page of another site', async () => {
    const browser = new Browser();
    const { csrfToken } = (await browser.send('csrf')).body;
    const answer = await browser.send('callback/password', {
      body: { email: acme.owner.email, password: acme.owner.password, csrfToken, json: 'true', callbackUrl: 'https://evil.test/' },
    });
    expect(answer.body.url).toBe(ORIGIN);
  });

  it('takes a plain form too, without a script', async () => {
    const browser = new Browser();
    const { csrfToken } = (await browser.send('csrf')).body;
    const refused = await browser.send('callback/password', { body: { email: acme.owner.email, password: 'wrong password', csrfToken } });
    expect([refused.status, refused.headers.get('location')]).toEqual([302, `${ORIGIN}/api/auth/error?error=invalid_credentials`]);
    const shown = await browser.send('error?error=invalid_credentials');
    expect([shown.status, shown.headers.get('location')]).toEqual([302, '/sign-in?error=invalid_credentials']);
  });
});

describe('a session', () => {
  const account = accountRoute({ handle: async ({ account }) => ({ email: account.email }) });
  const readAccount = async (cookie: string) =>
    (await account(new Request(`${ORIGIN}/api/account`, { headers: { cookie, host: '127.0.0.1:3000' } }), { params: Promise.resolve({}) }))
      .status;

  it('is over for a copy of the cookie once its person has signed out', async () => {
    const browser = new Browser();
    await browser.signIn('password', acme.owner as unknown as Record<string, unknown>);
    const copy = browser.cookie;
    expect(await readAccount(copy)).toBe(200);
    const { csrfToken } = (await browser.send('csrf')).body;
    await browser.send('signout', { body: { csrfToken, json: 'true' } });
    expect(browser.cookie).not.toContain('bailiwick-session-');
    expect(await readAccount(copy)).toBe(401);
  });

  it('that was ended from elsewhere loses its cookie', async () => {
    const browser = new Browser();
    await browser.signIn('password', acme.owner as unknown as Record<string, unknown>);
    const signedIn = await findSignedIn(world.config, browser.cookie);
    if (!signedIn) throw new Error('not signed in');
    await world.tenancy.revokeSignInSession(signedIn, signedIn.signInSessionId);
    expect((await browser.session()).body).toEqual({});
    expect(browser.cookie).not.toContain('bailiwick-session-');
  });
});

describe('opening the demo', () => {
  it('takes one click on the machine itself, and is not there for anyone else', async () => {
    await world.tenancy.ensureDemoTenant({ password: 'correct horse battery' });
    const local = new Browser({ address: '127.0.0.1', isForwarded: false });
    expect((await local.signIn('demo', {})).status).toBe(200);
    expect((await local.session()).body).toMatchObject({ user: { email: 'demo@example.com' } });
    for (const from of [
      { address: '127.0.0.1', isForwarded: true },
      { address: '192.0.2.8', isForwarded: false },
    ]) {
      expect(await new Browser(from).signIn('demo', {})).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const rebound = new Browser({ address: '127.0.0.1', isForwarded: false });
    expect((await rebound.signIn('demo', {}, { host: 'rebound.test' })).status).toBe(404);
  });
});

describe('next-auth’s own addresses', () => {
  it('lead to our pages, and write nothing into the log', async () => {
    const browser = new Browser();
    expect((await browser.send('signin')).headers.get('location')).toContain('/sign-in?callbackUrl=');
    expect((await browser.send('_log', { body: { code: 'x', level: 'error' } })).status).toBe(204);
    expect(Object.keys((await browser.send('providers')).body)).toEqual(['password', 'demo']);
  });
});
