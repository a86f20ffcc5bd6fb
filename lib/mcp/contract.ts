import { z } from 'zod';

/** Shapes of MCP servers as the API and the browser see them. Values of headers go in and never come out. */
export const mcpState = z.enum(['unchecked', 'connected', 'failed', 'sign-in-needed']);

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Those that are the transport's own. */
const RESERVED_HEADERS = /^(?:host|content-length|content-type|connection|transfer-encoding|accept|mcp-.*|cookie)$/i;
const headerName = z
  .string()
  .regex(HEADER_NAME, 'Use a header name.')
  .refine((name) => !RESERVED_HEADERS.test(name), 'This header is set by the connection.');
const headerValue = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Use one line of text.');
/** Name to value; at most twenty. */
const headers = z.record(headerName, headerValue).refine((all) => Object.keys(all).length <= 20, 'At most 20 headers.');

const serverName = z.string().regex(/^[a-z][a-z0-9_-]{0,30}$/, 'Use small letters, digits, - and _, beginning with a letter.');
const timeoutMs = z.number().int().min(1_000).max(3_600_000);
const httpUrl = z.url({ protocol: /^https?$/ }).max(2_000);

/** For servers where each person signs in. Without a client id we register ourselves; a secret goes in and never comes out. */
const signIn = z
  .object({
    clientId: z.string().trim().min(1).max(500).nullable().default(null),
    clientSecret: z.string().min(1).max(2_000).nullable().default(null),
    /** Words with spaces between; null: what the server says it needs. */
    scope: z.string().trim().min(1).max(1_000).nullable().default(null),
  })
  .refine(({ clientId, clientSecret }) => clientSecret === null || clientId !== null, 'A secret belongs to a client id.');
export type SignInBody = z.infer<typeof signIn>;

export const createMcpServerBody = z.object({
  name: serverName,
  reach: z.discriminatedUnion('transport', [
    z.object({ transport: z.literal('http'), url: httpUrl }),
    z.object({ transport: z.literal('stdio'), program: z.string().min(1).max(60) }),
  ]),
  /** Sent with each request to a server over HTTP. */
  headers: headers.default({}),
  /** Each person signs in with their own account (OAuth); such a server takes no headers. */
  signIn: signIn.nullable().default(null),
  timeoutMs: timeoutMs.default(180_000),
});
export type CreateMcpServer = z.infer<typeof createMcpServerBody>;

/** Absent keys stay as they are; `headers` replaces all of them. A new address drops the headers and the sign-in’s client unless they are sent along. */
export const updateMcpServerBody = z.object({
  url: httpUrl.optional(),
  headers: headers.optional(),
  /** Replaces the sign-in; null: nobody signs in any more. Every account that is connected is forgotten. */
  signIn: signIn.nullable().optional(),
  timeoutMs: timeoutMs.optional(),
  isEnabled: z.boolean().optional(),
});
export type UpdateMcpServer = z.infer<typeof updateMcpServerBody>;

const toolDefinitionView = z.object({
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.unknown()).nullable(),
});

export const mcpToolView = z.object({
  id: z.string(),
  name: z.string(),
  /** The id under which it is called; ends in a number where names would have met. */
  capabilityId: z.string(),
  /** Its id is another capability's, which wins. */
  isShadowed: z.boolean(),
  definition: toolDefinitionView,
  hash: z.string(),
  /** What the server says now; the tool is put aside until that is accepted. */
  pending: z.object({ definition: toolDefinitionView, hash: z.string() }).nullable(),
  problem: z.enum(['not-an-object', 'remote-ref', 'too-large', 'unreadable-schema']).nullable(),
  isListed: z.boolean(),
  isEnabled: z.boolean(),
  isCallable: z.boolean(),
  sideEffect: z.enum(['read', 'write', 'destructive']),
  idempotency: z.enum(['idempotent', 'keyed', 'none']),
  acceptedAt: z.string(),
});
export type McpToolView = z.infer<typeof mcpToolView>;

const toolDiffView = z.object({ at: z.string(), added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) });

export const mcpServerView = z.object({
  id: z.string(),
  name: z.string(),
  transport: z.enum(['http', 'stdio']),
  /** null for a local program. */
  url: z.string().nullable(),
  /** The operator's name of a local program; null for a server over HTTP. */
  program: z.string().nullable(),
  auth: z.enum(['none', 'headers', 'oauth']),
  headerNames: z.array(z.string()),
  /** null: nobody signs in to it. */
  signIn: z.object({ clientId: z.string().nullable(), isGiven: z.boolean(), scope: z.string().nullable() }).nullable(),
  timeoutMs: z.number(),
  isEnabled: z.boolean(),
  state: mcpState,
  lastCheckAt: z.string().nullable(),
  nextCheckAt: z.string().nullable(),
  error: z.string().nullable(),
  warnings: z.array(z.string()),
  tools: z.object({ listed: z.number(), waiting: z.number() }),
  /** Of the last 24 hours. */
  calls: z.object({ count: z.number(), failed: z.number(), p95Ms: z.number().nullable() }),
  lastDiff: toolDiffView.nullable(),
  updatedAt: z.string(),
});
export type McpServerView = z.infer<typeof mcpServerView>;

export const mcpServersView = z.object({
  servers: z.array(mcpServerView),
  /** Local programs that the operator offers. */
  programs: z.array(z.object({ key: z.string(), title: z.string() })),
});
export type McpServersView = z.infer<typeof mcpServersView>;

export const mcpServerDetail = mcpServerView.extend({
  handshake: z.array(z.object({ step: z.enum(['initialize', 'list-tools']), ok: z.boolean(), detail: z.string(), ms: z.number() })),
  /** The last lines of a local program's error output. */
  stderr: z.string(),
  serverName: z.string().nullable(),
  serverVersion: z.string().nullable(),
  protocolVersion: z.string().nullable(),
  instructions: z.string().nullable(),
  toolList: z.array(mcpToolView),
});
export type McpServerDetail = z.infer<typeof mcpServerDetail>;

export const updateMcpToolBody = z.object({
  isEnabled: z.boolean().optional(),
  sideEffect: z.enum(['read', 'write', 'destructive']).optional(),
  idempotency: z.enum(['idempotent', 'keyed', 'none']).optional(),
  /** The hash of what was shown: what the server says by then may be something else again. */
  accept: z.string().max(100).optional(),
});
export type UpdateMcpTool = z.infer<typeof updateMcpToolBody>;

export const tryMcpToolBody = z.object({ arguments: z.record(z.string(), z.unknown()).default({}) });
export type TryMcpTool = z.infer<typeof tryMcpToolBody>;

export const triedToolView = z.object({
  ok: z.boolean(),
  /** Of the refusal or failure; null where it succeeded. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  text: z.string(),
  output: z.record(z.string(), z.unknown()),
  ms: z.number(),
});
export type TriedToolView = z.infer<typeof triedToolView>;

export const mcpAccountView = z.object({
  /** Id of the server. */
  server: z.string(),
  name: z.string(),
  url: z.string(),
  /** `lapsed`: the server no longer takes the sign-in. */
  state: z.enum(['none', 'connected', 'lapsed']),
  scope: z.string().nullable(),
  /** A call was refused for the lack of a right; connecting again asks for it. */
  wantsMore: z.boolean(),
  connectedAt: z.string().nullable(),
});
export type McpAccountView = z.infer<typeof mcpAccountView>;

/** The sender's own accounts. */
export const mcpAccountsView = z.object({ accounts: z.array(mcpAccountView) });
export type McpAccountsView = z.infer<typeof mcpAccountsView>;

/** Where the person goes to sign in. */
export const begunSignInView = z.object({ authorizationUrl: z.string() });

/** What an authorization server sends a person back with (RFC 6749, RFC 9207). */
export const finishSignInQuery = z.object({
  state: z.string().max(500).default(''),
  code: z.string().max(4_000).optional(),
  error: z.string().max(500).optional(),
  error_description: z.string().max(2_000).optional(),
  error_uri: z.string().max(2_000).optional(),
  iss: z.string().max(2_000).optional(),
});
export type FinishSignIn = z.infer<typeof finishSignInQuery>;
