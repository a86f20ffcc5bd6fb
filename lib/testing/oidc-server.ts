import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the provider says of whoever comes next. */
export interface OidcPerson {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** What the provider does wrong, until it is told otherwise. */
export type OidcFault = 'wrong-nonce' | 'wrong-state' | 'expired-code' | 'other-audience' | 'foreign-key' | 'token-500' | 'declined' | null;

/**
 * An OpenID Connect provider over real HTTP that consents for `person` at once. It holds the client to the protocol: a code
 * serves once, to the client that may have it, at the address it was asked for, with the verifier of its challenge.
 */
export async function startOidcServer(client: { id: string; secret: string }) {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, URLSearchParams>();
  const state: { person: OidcPerson; fault: OidcFault; discoveries: number } = { person: { sub: 'nobody' }, fault: null, discoveries: 0 };
  let issuer = '';

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const required = ['client_id', 'redirect_uri', 'state', 'nonce', 'code_challenge'].filter((name) => !asked.get(name));
    if (required.length > 0 || asked.get('code_challenge_method') !== 'S256' || asked.get('client_id') !== client.id) {
      return json(response, 400, { error: 'invalid_request', missing: required });
    }
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', state.fault === 'wrong-state' ? 'somebody else’s' : (asked.get('state') ?? ''));
    if (state.fault === 'declined') {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = randomBytes(16).toString('hex');
      codes.set(code, asked);
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function redeem(request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await textOf(request));
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (state.fault === 'token-500') return json(response, 500, { error: 'server_error' });
    if (!isClient(request.headers.authorization, client)) return json(response, 401, { error: 'invalid_client' });
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = asked && asked.get('code_challenge') === challenge && asked.get('redirect_uri') === form.get('redirect_uri');
    if (!isRight || state.fault === 'expired-code') return json(response, 400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: state.fault === 'other-audience' ? 'another-client' : client.id,
      iat: now,
      exp: now + 300,
      nonce: state.fault === 'wrong-nonce' ? 'somebody else’s' : asked.get('nonce'),
      ...state.person,
    };
    const key = state.fault === 'foreign-key' ? foreign.privateKey : keys.privateKey;
    json(response, 200, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken(claims, key) });
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/.well-known/openid-configuration') {
      state.discoveries += 1;
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      });
    }
    if (url.pathname === '/keys')
      return json(response, 200, { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token') return void redeem(request, response);
    json(response, 404, { error: 'not_found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>;

/** HTTP basic authentication, each part form-encoded first (RFC 6749, 2.3.1). */
function isClient(authorization: string | undefined, client: { id: string; secret: string }): boolean {
  const pair = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const [id, secret] = pair.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'));
  return id === client.id && secret === client.secret;
}

function idToken(claims: object, key: Parameters<typeof sign>[2]): string {
  const signed = `${encoded({ alg: 'RS256', kid: 'k1' })}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
