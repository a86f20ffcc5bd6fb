import type { AuditLog } from '#lib/audit/index.ts';
import type { Sealed } from '#lib/config/index.ts';
import type { Id, JsonObject, TenantScope } from '#lib/kernel/index.ts';
import type { McpAccount } from './domain/account.ts';
import type { HandshakeStep, McpCheck, McpServer } from './domain/server.ts';
import type { ListedTool, McpTool, ToolDefinition } from './domain/tool.ts';
import type { ToolResult } from './domain/tool-result.ts';
import type { ToolChange, ToolDiff } from './domain/tool-sync.ts';

/** A program of the operator's list: argv and environment are fixed, whoever uses it (known fault K18). */
export interface StdioProgram {
  readonly key: string;
  readonly title: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string | null;
}

/** Where a connection leads and as whom, with everything that is secret opened. */
export interface McpTarget {
  readonly tenantId: Id<'tenant'>;
  readonly serverId: Id<'mcpServer'>;
  readonly name: string;
  /** Whose connection it is where each person signs in; null: the workspace's. */
  readonly userId: Id<'user'> | null;
  readonly revision: number;
  /** The person's own sign-in, where each signs in. */
  readonly signIn: McpSignIn | null;
  readonly reach:
    | { readonly transport: 'http'; readonly url: URL; readonly headers: Readonly<Record<string, string>> }
    | { readonly transport: 'stdio'; readonly program: StdioProgram };
}

/** A person's own sign-in to a server. Every step rejects with `unauthenticated` and the next step where they have to connect. */
export interface McpSignIn {
  /** When they connected, in ms: a connection of an earlier sign-in is not used for a later one. */
  readonly since: number;
  /** The access token, renewed where it ends. */
  readToken(): Promise<string>;
  /** Another than the one that was refused. */
  renew(refused: string): Promise<string>;
  /** What was renewed was refused as well. */
  giveUp(refused: string): Promise<never>;
  askForMore(scope: string): Promise<never>;
}

/** Where one signs in to a server, as it says itself. */
export interface SignInPlace {
  readonly authorizationServer: string;
  /** JSON of its metadata; null: it has none, and its addresses are the customary ones. */
  readonly metadata: string | null;
  /** What tokens are asked for (RFC 8707). */
  readonly resource: string;
  /** What the server says it needs. */
  readonly scope: string | null;
}

export interface SignInClient {
  readonly id: string;
  readonly secret: string | null;
  readonly authMethod: string | null;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresInSeconds: number | null;
  readonly scope: string | null;
}

/** Speaks OAuth 2.1 with authorization servers. Throws `unavailable` with the cause. */
export interface McpAuthorizer {
  discover(server: URL): Promise<SignInPlace>;
  register(place: SignInPlace, asked: { redirectUrl: string; scope: string | null }): Promise<SignInClient>;
  begin(
    place: SignInPlace,
    asked: { client: SignInClient; redirectUrl: string; scope: string | null; state: string },
  ): Promise<{ authorizationUrl: string; codeVerifier: string }>;
  exchange(
    place: SignInPlace,
    answer: { client: SignInClient; redirectUrl: string; codeVerifier: string; code: string; issuer: string | null },
  ): Promise<IssuedTokens>;
  /** null: refused for good. */
  renew(place: SignInPlace, held: { client: SignInClient; refreshToken: string }): Promise<IssuedTokens | null>;
}

export interface ToolListing {
  readonly tools: readonly ListedTool[];
  readonly warnings: readonly string[];
  readonly pages: number;
}

export interface ToolProgress {
  readonly progress: number;
  readonly total: number | null;
  readonly message: string | null;
}

/** An open connection. Methods throw `AppError`; an `McpSessionLost` means that it is of no more use. */
export interface McpConnection {
  readonly about: Pick<McpCheck, 'serverName' | 'serverVersion' | 'protocolVersion' | 'instructions'>;
  readonly steps: readonly HandshakeStep[];
  readonly isOpen: boolean;
  /** The last lines of a program's error output; '' for a server over HTTP. */
  readStderr(): string;
  listTools(signal: AbortSignal): Promise<ToolListing>;
  callTool(call: {
    name: string;
    definition: ToolDefinition;
    arguments: JsonObject;
    idempotencyKey: string;
    timeoutMs: number;
    signal: AbortSignal;
    onProgress: (progress: ToolProgress) => void;
  }): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface ConnectionListener {
  onToolsChanged(): void;
  /** Once, however it ended. */
  onClosed(): void;
}

/** Opens connections. Throws `McpConnectFailure`. */
export interface McpConnector {
  connect(target: McpTarget, listener: ConnectionListener, signal: AbortSignal): Promise<McpConnection>;
}

/** A tool with the server it stands on, as a capability needs both. */
export interface ServedTool {
  readonly server: McpServer;
  readonly tool: McpTool;
}

/** Servers and tools of one tenant, bound to its transaction. */
export interface McpServerStore {
  list(): Promise<McpServer[]>;
  find(id: Id<'mcpServer'>): Promise<McpServer | null>;
  /** As `find`, and others that lock the same server wait for the transaction to end. */
  lock(id: Id<'mcpServer'>): Promise<McpServer | null>;
  /** Throws `conflict` when the name is taken. */
  put(server: McpServer): Promise<void>;
  remove(id: Id<'mcpServer'>): Promise<boolean>;
  /** Keeps a registration of ours; nothing where the server has changed or an administrator gave a client meanwhile. */
  keepClient(id: Id<'mcpServer'>, revision: number, clientId: string, sealed: Sealed): Promise<void>;
  recordCheck(id: Id<'mcpServer'>, check: McpCheck, diff: ToolDiff | null): Promise<void>;
  listTools(id: Id<'mcpServer'>): Promise<McpTool[]>;
  countTools(): Promise<ReadonlyMap<Id<'mcpServer'>, { readonly listed: number; readonly waiting: number }>>;
  addTool(serverId: Id<'mcpServer'>, tool: McpTool): Promise<void>;
  changeTool(serverId: Id<'mcpServer'>, toolId: Id<'mcpTool'>, change: ToolChange & Partial<McpTool>): Promise<void>;
  /** Calls of the last day by the servers' names: how many, how many failed, and how long 95 of 100 took. */
  readFigures(): Promise<ReadonlyMap<string, { readonly calls: number; readonly failed: number; readonly p95Ms: number | null }>>;
  /** Tells every process, once committed, that this tenant's tools have changed. */
  announce(): Promise<void>;
}

type KeptTokens = Pick<McpAccount, 'sealedTokens' | 'expiresAt' | 'scope'>;

/** Members' own accounts, bound to the tenant's transaction. Changes of tokens name the version that they replace. */
export interface McpAccountStore {
  find(serverId: Id<'mcpServer'>, userId: Id<'user'>): Promise<McpAccount | null>;
  listOf(userId: Id<'user'>): Promise<McpAccount[]>;
  /** In the place of an earlier one that was not ended; what is connected stays so. */
  beginSignIn(signIn: {
    id: Id<'mcpAccount'>;
    serverId: Id<'mcpServer'>;
    userId: Id<'user'>;
    stateHash: string;
    sealed: Sealed;
    expiresAt: Date;
  }): Promise<void>;
  /** Once; null where this person began none, or it is too old. */
  takeSignIn(
    userId: Id<'user'>,
    stateHash: string,
  ): Promise<{ readonly id: Id<'mcpAccount'>; readonly serverId: Id<'mcpServer'>; readonly sealed: Sealed } | null>;
  /** Throws `not_found` where the account is gone. */
  connect(id: Id<'mcpAccount'>, tokens: KeptTokens): Promise<void>;
  /** Whether it is the caller who renews now. */
  claimRenewal(id: Id<'mcpAccount'>, version: number, forMs: number): Promise<boolean>;
  endRenewal(id: Id<'mcpAccount'>, version: number): Promise<void>;
  keepRenewed(id: Id<'mcpAccount'>, version: number, tokens: KeptTokens): Promise<boolean>;
  lapse(id: Id<'mcpAccount'>, version: number): Promise<void>;
  wantScope(id: Id<'mcpAccount'>, scope: string | null): Promise<void>;
  remove(serverId: Id<'mcpServer'>, userId: Id<'user'>): Promise<boolean>;
  /** Of all people: the server is another from now on. */
  removeOf(serverId: Id<'mcpServer'>): Promise<void>;
}

export interface McpStores {
  readonly mcpServers: McpServerStore;
  readonly mcpAccounts: McpAccountStore;
  readonly audit: AuditLog;
}

/** Tools that can be called, over all servers of a tenant that are on; read outside a transaction, in one round trip. */
export interface ServedToolReader {
  list(scope: TenantScope): Promise<ServedTool[]>;
  find(scope: TenantScope, capabilityId: string): Promise<ServedTool | null>;
}

/** Calls back when tools of a tenant have changed, in whichever process; null: those of any may have. */
export interface McpChangeFeed {
  onChange(listener: (tenantId: Id<'tenant'> | null) => void): void;
}

/** Hands out servers that are to be checked, each to one process. */
export interface DueServers {
  claimDue(request: {
    intervalMs: number;
    isStart: boolean;
    limit: number;
  }): Promise<{ readonly tenantId: Id<'tenant'>; readonly serverId: Id<'mcpServer'> }[]>;
  /** All that are on, of tenants that are not suspended: connections to any other are closed. */
  listEnabled(): Promise<{ readonly tenantId: Id<'tenant'>; readonly serverId: Id<'mcpServer'> }[]>;
}

export interface SecretSealer {
  seal(plain: string, context: string): Sealed;
  open(sealed: Sealed, context: string): string;
}

/** One of our capabilities as another program's tool. */
export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
}

/** What one client is offered, for one request. */
export interface CapabilityOffer {
  list(): Promise<readonly OfferedTool[]>;
  call(
    name: string,
    args: JsonObject,
    /** `idempotencyKey`: the client's, from the request's `_meta`. */
    given: { readonly signal: AbortSignal; readonly idempotencyKey: string | undefined },
  ): Promise<{ readonly text: string; readonly structured: JsonObject | null; readonly isError: boolean }>;
}

/** Where a call's key travels in `_meta`, from us to servers and from clients to us. */
export const IDEMPOTENCY_META = 'bailiwick/idempotencyKey';

/** Speaks MCP with who sends the request. */
export interface McpEndpoint {
  answer(request: Request, offer: CapabilityOffer): Promise<Response>;
}
