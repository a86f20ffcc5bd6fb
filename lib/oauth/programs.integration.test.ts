import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findApiKeyHash } from '#lib/auth/api-key-mint.ts';
import { composeOAuth } from '#lib/composition/oauth.ts';
import type { Id } from '#lib/kernel/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { OAuthRefusal } from './index.ts';

const REDIRECT = 'http://127.0.0.1:33418/callback';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let oauth: ReturnType<typeof composeOAuth>;
beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  oauth = composeOAuth(world);
});
afterAll(() => world.close());

const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    (error: unknown) => (error instanceof OAuthRefusal ? error.error : error),
  );
const aProgram = (redirect_uris = [REDIRECT]) => oauth.registerProgram({ client_name: 'Editor', redirect_uris });
const aVerifier = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** A program that a person has allowed, up to its code. */
async function allowed(actor = acme.actor) {
  const client = await aProgram();
  const { verifier, challenge } = aVerifier();
  const { redirectTo } = await oauth.authorizeProgram(actor, {
    clientId: client.id,
    redirectUri: REDIRECT,
    codeChallenge: challenge,
    state: 'back',
  });
  const url = new URL(redirectTo);
  expect([url.origin + url.pathname, url.searchParams.get('state')]).toEqual([REDIRECT, 'back']);
  const form = {
    grant_type: 'authorization_code',
    client_id: client.id,
    code: url.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  };
  return { client, form };
}
const exchange = (form: Readonly<Record<string, string>>) => oauth.exchangeToken(new Map(Object.entries(form)));
const actorBy = (key: string) => world.tenancy.resolveActor(null, { kind: 'api-key', hash: findApiKeyHash(key) ?? '' });
const refreshing = (clientId: string, token: string) => ({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });

describe('a program that a person has allowed', () => {
  it('acts as that person in that workspace, may call tools and nothing else, and is on the record', async () => {
    const { client, form } = await allowed();
    const { accessToken, expiresInSeconds } = await exchange(form);
    const actor = await actorBy(accessToken);
    expect([actor.kind, actor.scope.tenantId, actor.scope.userId]).toEqual(['api-key', acme.tenantId, acme.owner.userId]);
    expect(actor.permissions.has('capability:invoke')).toBe(true);
    for (const permission of ['member:manage', 'api-key:manage', 'audit:read', 'tenant:delete', 'model:manage'] as const)
      expect(actor.permissions.has(permission as never)).toBe(false);
    expect(expiresInSeconds).toBe(3_600);
    // It hands on nothing: a program cannot allow another.
    expect(
      await codeOf(
        oauth.authorizeProgram(actor, { clientId: client.id, redirectUri: REDIRECT, codeChallenge: aVerifier().challenge, state: null }),
      ),
    ).toBe('invalid_request');
    const { items } = await world.tenancy.listAuditEvents(acme.actor, { limit: 200 });
    expect(items.some(({ type, target }) => type === 'oauth.allowed' && target.id === client.id)).toBe(true);
    expect(items.some(({ type, details }) => type === 'api-key.created' && details?.program === client.id)).toBe(true);
  });

  it('gets a new token for its refresh token, and the old one serves no more', async () => {
    const { client, form } = await allowed();
    const first = await exchange(form);
    const second = await exchange(refreshing(client.id, first.refreshToken));
    expect(await codeOf(actorBy(first.accessToken))).toBe('unauthenticated');
    expect((await actorBy(second.accessToken)).scope.userId).toBe(acme.owner.userId);
  });

  it('loses everything when its code or its refresh token is presented twice', async () => {
    const { client, form } = await allowed();
    const first = await exchange(form);
    expect(await refusal(exchange(form))).toBe('invalid_grant');
    expect(await codeOf(actorBy(first.accessToken))).toBe('unauthenticated');
    expect(await refusal(exchange(refreshing(client.id, first.refreshToken)))).toBe('invalid_grant');

    const again = await allowed();
    const one = await exchange(again.form);
    const two = await exchange(refreshing(again.client.id, one.refreshToken));
    expect(await refusal(exchange(refreshing(again.client.id, one.refreshToken)))).toBe('invalid_grant');
    expect(await codeOf(actorBy(two.accessToken))).toBe('unauthenticated');
  });

  it('gets one token for one code, whoever asks at once', async () => {
    const { form } = await allowed();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        exchange(form).then(
          () => 'issued',
          () => 'refused',
        ),
      ),
    );
    expect(answers.filter((answer) => answer === 'issued').length).toBeLessThanOrEqual(1);
  });

  it('is refused another key, another address, another program’s code, an old code and a wrong grant', async () => {
    const { form } = await allowed();
    const other = await aProgram();
    for (const wrong of [
      { code_verifier: aVerifier().verifier },
      { code_verifier: '' },
      { redirect_uri: `${REDIRECT}/x` },
      { client_id: other.id },
      { code: 'none' },
    ])
      expect(await refusal(exchange({ ...form, ...wrong }))).toBe('invalid_grant');
    expect(await refusal(exchange({ ...form, client_id: 'cli_none' }))).toBe('invalid_client');
    expect(await refusal(exchange({ ...form, grant_type: 'password' }))).toBe('unsupported_grant_type');
    world.clock.advance(61_000);
    expect(await refusal(exchange(form))).toBe('invalid_grant');
  });

  it('is listed for the person, who can end it; nobody else sees it', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const { client, form } = await allowed(await world.actorOf('acme', person));
    const { accessToken, refreshToken } = await exchange(form);
    const { items } = await oauth.listPrograms(person);
    expect(items).toMatchObject([{ name: 'Editor', workspace: 'acme' }]);
    const id = items[0]?.id as Id<'apiKey'>;
    expect((await oauth.listPrograms(acme.owner)).items.some((program) => program.id === id)).toBe(false);
    expect(await codeOf(oauth.endProgram(acme.owner, id))).toBe('not_found');
    await oauth.endProgram(person, id);
    expect((await oauth.listPrograms(person)).items).toEqual([]);
    expect(await codeOf(oauth.endProgram(person, id))).toBe('not_found');
    expect(await codeOf(actorBy(accessToken))).toBe('unauthenticated');
    expect(await refusal(exchange(refreshing(client.id, refreshToken)))).toBe('invalid_grant');
  });

  it('ends with the person’s membership', async () => {
    const person = await world.addPerson(acme.actor, 'member');
    const { client, form } = await allowed(await world.actorOf('acme', person));
    const { accessToken, refreshToken } = await exchange(form);
    await actorBy(accessToken);
    await world.tenancy.removeMember(acme.actor, person.userId);
    expect(await codeOf(actorBy(accessToken))).toBe('unauthenticated');
    expect(await refusal(exchange(refreshing(client.id, refreshToken)))).toBe('invalid_grant');
  });
});

const ask = async (more: Readonly<Record<string, string>> = {}) => {
  const client = await aProgram();
  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: REDIRECT,
    code_challenge: aVerifier().challenge,
    code_challenge_method: 'S256',
    state: 'back',
  };
  return oauth.readProgramAuthorization({ ...asked, ...more });
};

describe('a program that asks', () => {
  it('is known by what it has registered, but for the port on the person’s own machine', async () => {
    expect(await ask()).toMatchObject({ status: 'asked', client: { name: 'Editor' } });
    expect(await ask({ redirect_uri: 'http://127.0.0.1:50001/callback' })).toMatchObject({ status: 'asked' });
    for (const redirect_uri of [
      'http://127.0.0.1:33418/other',
      'https://evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'x',
    ])
      expect(await ask({ redirect_uri })).toEqual({ status: 'unknown' });
    expect(await ask({ client_id: 'cli_none' })).toEqual({ status: 'unknown' });
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])('hears what is wrong with %j at its own address', async (more, error) => {
    const asked = await ask(more);
    expect(asked.status).toBe('refused');
    const { searchParams } = new URL(asked.status === 'refused' ? asked.redirectTo : '');
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual([error, 'back']);
  });

  it('can register only addresses that are its own', async () => {
    for (const uri of [
      'http://example.com/callback',
      'javascript:alert(1)',
      'https://user@example.com/',
      'https://example.com/#x',
      'data:text/html,x',
      'myapp:/x',
    ])
      expect(await refusal(aProgram([uri]))).toBe('invalid_redirect_uri');
    expect(
      (await aProgram(['com.example.editor:/callback', 'https://example.com/callback', 'http://[::1]/callback'])).redirectUris,
    ).toHaveLength(3);
    expect(await refusal(oauth.registerProgram({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_basic' }))).toBe(
      'invalid_client_metadata',
    );
  });

  it('is forgotten when nobody has allowed it anything for a day', async () => {
    const forgotten = await aProgram();
    const { client: kept } = await allowed();
    world.clock.advance(25 * 3_600_000);
    await aProgram();
    expect(
      await oauth.readProgramAuthorization({
        response_type: 'code',
        client_id: forgotten.id,
        redirect_uri: REDIRECT,
        code_challenge: '',
        code_challenge_method: '',
      }),
    ).toEqual({
      status: 'unknown',
    });
    expect(
      (
        await oauth.readProgramAuthorization({
          response_type: 'code',
          client_id: kept.id,
          redirect_uri: REDIRECT,
          code_challenge: '',
          code_challenge_method: '',
        })
      ).status,
    ).toBe('refused');
  });
});
