import { describe, expect, it } from 'vitest';
import { createOidcClient } from './oidc-client.ts';

const ISSUER = 'https://sso.example.org/realms/staff';
const SETTINGS = { issuer: ISSUER, clientId: 'c', clientSecret: 's', label: null, scope: 'openid', groupsClaim: 'groups' };
const DESCRIPTION = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
};

function clientOf(answer: object, status = 200) {
  const asked: string[] = [];
  let time = 0;
  const refused = new Set<string>();
  const open = createOidcClient({
    settings: SETTINGS,
    guardedFetch: async (address) => {
      asked.push(address instanceof Request ? address.url : new URL(address).href);
      return Response.json(answer, { status });
    },
    guard: {
      lookup: () => undefined,
      requireAllowed(url) {
        if (refused.has(url.hostname)) throw new Error(`${url.hostname} may not be called`);
      },
    },
    now: () => new Date(time),
  });
  return { open, asked, refused, advance: (ms: number) => (time += ms) };
}

describe('createOidcClient', () => {
  it('asks the provider to describe itself, and again after ten minutes', async () => {
    const client = clientOf(DESCRIPTION);
    expect(await client.open()).toMatchObject({ issuer: ISSUER, tokenUrl: `${ISSUER}/token`, authMethod: null });
    await client.open();
    expect(client.asked).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
    client.advance(10 * 60_000);
    await client.open();
    expect(client.asked).toHaveLength(2);
  });

  it('believes no description of another issuer, and keeps no failure', async () => {
    const client = clientOf({ ...DESCRIPTION, issuer: 'https://sso.example.org/realms/guests' });
    await expect(client.open()).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'provider-down' } });
    await expect(client.open()).rejects.toMatchObject({ code: 'unavailable' });
    expect(client.asked).toHaveLength(2);
  });

  it('takes no address that may not be called, no error and no half of a description', async () => {
    const inside = clientOf({ ...DESCRIPTION, jwks_uri: 'http://169.254.169.254/keys' });
    inside.refused.add('169.254.169.254');
    await expect(inside.open()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(clientOf(DESCRIPTION, 500).open()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(clientOf({ issuer: ISSUER }).open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('sends the secret as the provider takes it', async () => {
    const posted = clientOf({ ...DESCRIPTION, token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'] });
    expect((await posted.open()).authMethod).toBe('client_secret_post');
  });
});
