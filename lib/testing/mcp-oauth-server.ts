import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServerUnderTest } from './mcp-server.ts';

interface Grant {
  readonly person: string;
  readonly client: string;
  readonly scope: string;
  readonly resource: string;
}

/**
 * An authorization server (OAuth 2.1) over real HTTP that guards an MCP server and consents for `person` at once. It holds its clients to
 * the protocol: registered addresses, PKCE, codes and refresh tokens that serve once, the resource that tokens are for.
 */
export async function startMcpOauthServer(peer: McpServerUnderTest) {
  const clients = new Map<string, { redirectUris: readonly string[]; secret: string | null }>();
  const codes = new Map<string, Grant & { challenge: string; redirectUri: string }>();
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  const state = {
    person: 'ann',
    lifeSeconds: 3600,
    needs: 'notes:read',
    /** How long it takes to renew, so that others come meanwhile. */
    renewalMs: 0,
    isDown: false,
    declines: false,
    resource: peer.url,
    registrations: 0,
    renewals: 0,
  };
  let issuer = '';

  function issue(response: ServerResponse, grant: Grant): void {
    const [token, next] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];
    access.set(token, grant);
    refresh.set(next, grant);
    json(response, 200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: state.lifeSeconds,
      refresh_token: next,
      scope: grant.scope,
    });
  }

  async function redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await textOf(request));
    const client = clients.get(form.get('client_id') ?? '');
    if (state.isDown) return json(response, 503, { error: 'temporarily_unavailable' });
    if (!client || (client.secret !== null && client.secret !== form.get('client_secret')))
      return json(response, 401, { error: 'invalid_client' });
    const [kind, resource] = [form.get('grant_type'), form.get('resource')];
    if (resource !== state.resource) return json(response, 400, { error: 'invalid_target' });
    if (kind === 'refresh_token') {
      state.renewals += 1;
      const token = form.get('refresh_token') ?? '';
      const grant = refresh.get(token);
      refresh.delete(token);
      await new Promise((resolve) => setTimeout(resolve, state.renewalMs));
      return grant ? issue(response, grant) : json(response, 400, { error: 'invalid_grant' });
    }
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      asked?.challenge === challenge && asked.redirectUri === form.get('redirect_uri') && asked.client === form.get('client_id');
    return asked && isRight ? issue(response, asked) : json(response, 400, { error: 'invalid_grant' });
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const redirectUri = asked.get('redirect_uri') ?? '';
    const client = clients.get(asked.get('client_id') ?? '');
    const isRight = client?.redirectUris.includes(redirectUri) && asked.get('code_challenge_method') === 'S256' && asked.get('state');
    if (!isRight || asked.get('resource') !== state.resource) return json(response, 400, { error: 'invalid_request' });
    const back = new URL(redirectUri);
    back.searchParams.set('state', asked.get('state') ?? '');
    if (state.declines) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(16).toString('hex');
      codes.set(code, {
        person: state.person,
        client: asked.get('client_id') ?? '',
        scope: asked.get('scope') ?? '',
        resource: state.resource,
        challenge: asked.get('code_challenge') ?? '',
        redirectUri,
      });
      back.searchParams.set('code', code);
      back.searchParams.set('iss', issuer);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    state.registrations += 1;
    const asked = JSON.parse(await textOf(request)) as { redirect_uris: string[] };
    const id = `client-${state.registrations}`;
    clients.set(id, { redirectUris: asked.redirect_uris, secret: null });
    json(response, 201, { ...asked, client_id: id });
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname.startsWith('/resource')) return json(response, 200, { resource: state.resource, authorization_servers: [issuer] });
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
      });
    if (url.pathname === '/register') return void register(request, response);
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token') return void redeem(request, response);
    return json(response, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  peer.gate.refuse = ({ authorization = '' }) => {
    const grant = access.get(authorization.replace(/^Bearer /, ''));
    const metadata = `resource_metadata="${issuer}/resource"`;
    if (!grant) return { status: 401, challenge: `Bearer ${metadata}, scope="notes:read"` };
    if (grant.scope.split(' ').includes(state.needs)) return null;
    return { status: 403, challenge: `Bearer error="insufficient_scope", scope="${state.needs}", ${metadata}` };
  };

  return {
    state,
    /** An administrator's own registration. */
    addClient: (id: string, secret: string, redirectUri: string) => clients.set(id, { redirectUris: [redirectUri], secret }),
    /** Whose token it is that a request carried. */
    personOf: (headers: IncomingMessage['headers']) => access.get((headers.authorization ?? '').replace(/^Bearer /, ''))?.person ?? null,
    /** Access tokens end; what renews them stays. */
    endAccess: () => access.clear(),
    endAll() {
      access.clear();
      refresh.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
