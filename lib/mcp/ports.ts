import type { AuditLog } from '#lib/audit/index.ts';
import type { Sealed } from '#lib/config/index.ts';
import type { Id, JsonObject, TenantScope } from '#lib/kernel/index.ts';
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
  readonly reach:
    | { readonly transport: 'http'; readonly url: URL; readonly headers: Readonly<Record<string, string>> }
    | { readonly transport: 'stdio'; readonly program: StdioProgram };
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

export interface McpStores {
  readonly mcpServers: McpServerStore;
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

export interface HeaderSealer {
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
