import type { Sealed } from '#lib/config/index.ts';
import type { Id, JsonObject } from '#lib/kernel/index.ts';
import type { ToolDiff } from './tool-sync.ts';

/** How a server is reached: by HTTP, or as a program of the operator's list. */
export type McpReach = { readonly transport: 'http'; readonly url: string } | { readonly transport: 'stdio'; readonly program: string };

/** How we say who we are: not at all, by fixed headers, or each person by their own sign-in. */
export type McpAuth = 'none' | 'headers' | 'oauth';

/**
 * `connected` only after tools were listed (known fault: "connected" with no tools). `unchecked`: nobody has asked since the
 * last change.
 */
export type McpState = 'unchecked' | 'connected' | 'failed' | 'sign-in-needed';

/** One step of the last handshake. */
export interface HandshakeStep {
  readonly step: 'initialize' | 'list-tools';
  readonly ok: boolean;
  readonly detail: string;
  readonly ms: number;
}

/** What the last check found. */
export interface McpCheck {
  readonly at: Date;
  readonly state: Exclude<McpState, 'unchecked'>;
  /** The cause in one line; null where there is none. */
  readonly error: string | null;
  readonly handshake: readonly HandshakeStep[];
  /** Codes of what was odd about the list: `repeated-cursor`, `page-limit`, `duplicate-names`, `malformed-tools`. */
  readonly warnings: readonly string[];
  /** The last lines that a local program wrote to its error output. */
  readonly stderr: string;
  readonly serverName: string | null;
  readonly serverVersion: string | null;
  readonly protocolVersion: string | null;
  readonly instructions: string | null;
}

/** As whom we speak to a server's authorization server. */
export interface McpServerSignIn {
  /** null: we have not registered yet. */
  readonly clientId: string | null;
  /** Whether an administrator gave the client. */
  readonly isGiven: boolean;
  readonly sealedClient: Sealed | null;
  /** What a sign-in asks for; null: what the server says it needs. */
  readonly scope: string | null;
}

/** A server of a tenant, as it is kept. */
export interface McpServer {
  readonly id: Id<'mcpServer'>;
  /** Stands before its tools' names. Does not change. */
  readonly name: string;
  readonly reach: McpReach;
  readonly auth: McpAuth;
  readonly headerNames: readonly string[];
  readonly sealedHeaders: Sealed | null;
  /** Where each person signs in; null: nobody does. */
  readonly signIn: McpServerSignIn | null;
  /** The most a call may take, progress or not. */
  readonly timeoutMs: number;
  readonly isEnabled: boolean;
  /** Rises with each change of how it is reached: open connections of an older one are closed. */
  readonly revision: number;
  readonly check: McpCheck | null;
  readonly nextCheckAt: Date | null;
  readonly lastDiff: (ToolDiff & { readonly at: string }) | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the secret box authenticates along with the headers: a box moved to another row does not open. */
export function headersContext(tenantId: Id<'tenant'>, serverId: Id<'mcpServer'>): string {
  return `mcp-headers:${tenantId}:${serverId}`;
}

/** What the audit log keeps of a server: names of headers and of a client, never their values and secrets. */
export function describeServer({ name, reach, auth, headerNames, signIn, timeoutMs, isEnabled }: McpServer): JsonObject {
  const client = signIn && { clientId: signIn.isGiven ? signIn.clientId : null, scope: signIn.scope };
  return { name, ...reach, auth, headerNames: [...headerNames], signIn: client, timeoutMs, isEnabled };
}
