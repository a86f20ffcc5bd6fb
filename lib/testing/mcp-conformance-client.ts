import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import { AppError, type JsonObject, newId } from '#lib/kernel/index.ts';
import { createSdkAuthorizer } from '#lib/mcp/adapters/sdk-authorizer.ts';
import { createSdkConnector } from '#lib/mcp/adapters/sdk-connector.ts';
import type { McpConnection, McpSignIn } from '#lib/mcp/ports.ts';

// What the protocol's conformance suite runs as "the client": our connection to the server at the address it gives, signed in
// where it asks for that, by a person who agrees at once. It lists the tools and calls each, with a number for each number
// and a word for each text.
const REDIRECT_URL = 'http://127.0.0.1:3000/api/t/demo/mcp/sign-in';

const validator = createAjvArgumentValidator();
const authorizer = createSdkAuthorizer({ fetch: globalThis.fetch });
const connector = createSdkConnector({
  fetch: globalThis.fetch,
  version: '0',
  findSchemaFault: (schema) => validator.findSchemaFault(schema),
  idleTimeoutMs: 20_000,
});
const url = new URL(process.argv.at(-1) ?? '');
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as { client_id?: string; client_secret?: string };

const giveUp = () => Promise.reject(new AppError({ code: 'unauthenticated', message: 'Connect again.' }));

/** As the account page does it, with the redirect followed here. */
async function signIn(wanted: string | null): Promise<McpSignIn> {
  const place = await authorizer.discover(url);
  const scope = wanted ?? place.scope;
  const asked = { redirectUrl: REDIRECT_URL, scope };
  const client = given.client_id
    ? { id: given.client_id, secret: given.client_secret ?? null, authMethod: null }
    : await authorizer.register(place, asked);
  const { authorizationUrl, codeVerifier } = await authorizer.begin(place, { ...asked, client, state: 'state' });
  const back = new URL((await fetch(authorizationUrl, { redirect: 'manual' })).headers.get('location') ?? '');
  const { code = '', iss = null } = Object.fromEntries(back.searchParams) as { code?: string; iss?: string };
  const issued = await authorizer.exchange(place, { client, codeVerifier, redirectUrl: REDIRECT_URL, code, issuer: iss });
  return {
    since: 0,
    readToken: async () => issued.accessToken,
    renew: giveUp,
    giveUp,
    askForMore: (more) => Promise.reject(new AppError({ code: 'unauthenticated', message: 'more', details: { more } })),
  };
}

async function connect(by: McpSignIn | null): Promise<McpConnection> {
  const target = { tenantId: newId('tenant'), serverId: newId('mcpServer'), name: 'conformance', userId: null, revision: 1 };
  const listener = { onToolsChanged: () => undefined, onClosed: () => undefined };
  const reach = { transport: 'http', url, headers: {} } as const;
  return connector.connect({ ...target, signIn: by, reach }, listener, AbortSignal.timeout(20_000));
}

async function use(connection: McpConnection): Promise<void> {
  const { tools } = await connection.listTools(AbortSignal.timeout(20_000));
  for (const { name, definition } of tools) {
    await connection.callTool({
      name,
      definition,
      arguments: argumentsFor(definition.inputSchema),
      idempotencyKey: 'conformance',
      timeoutMs: 20_000,
      signal: AbortSignal.timeout(20_000),
      onProgress: () => undefined,
    });
  }
  await connection.close();
}

/** What the person is asked for more than they gave; null where it is something else. */
function moreOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError && typeof cause.details?.more === 'string') return cause.details.more;
  return null;
}

const needsSignIn = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/') === true;
try {
  await use(await connect(needsSignIn ? await signIn(null) : null));
} catch (error) {
  const more = moreOf(error);
  if (more === null) throw error;
  await use(await connect(await signIn(more)));
}
process.exit(0);

function argumentsFor({ properties }: JsonObject): JsonObject {
  const entries = typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(entries.map(([name, schema]) => [name, JSON.stringify(schema).includes('"number"') ? 5 : 'word']));
}
