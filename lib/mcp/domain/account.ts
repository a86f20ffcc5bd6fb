import type { Sealed } from '#lib/config/index.ts';
import { AppError, type Id } from '#lib/kernel/index.ts';

/** A member's own account at a server where each person signs in. */
export interface McpAccount {
  readonly id: Id<'mcpAccount'>;
  readonly serverId: Id<'mcpServer'>;
  readonly userId: Id<'user'>;
  /** null: not connected. */
  readonly sealedTokens: Sealed | null;
  /** When the access token ends; null: unknown. */
  readonly expiresAt: Date | null;
  /** What was granted; null: the server did not say. */
  readonly scope: string | null;
  /** What a call was refused for the lack of; the next sign-in asks for it. */
  readonly wantedScope: string | null;
  /** Rises with each change of the tokens. */
  readonly version: number;
  /** The server no longer takes what there is. */
  readonly isLapsed: boolean;
  readonly connectedAt: Date | null;
}

/** What the secret boxes authenticate: tokens of one person or workspace do not open as another's. */
export function accountContext(tenantId: Id<'tenant'>, serverId: Id<'mcpServer'>, userId: Id<'user'>): string {
  return `mcp-account:${tenantId}:${serverId}:${userId}`;
}

export function clientContext(tenantId: Id<'tenant'>, serverId: Id<'mcpServer'>): string {
  return `mcp-client:${tenantId}:${serverId}`;
}

/** Words of both, each once, in their order; null where there are none. */
export function joinScopes(...scopes: readonly (string | null | undefined)[]): string | null {
  const words = scopes.flatMap((scope) => scope?.split(/\s+/) ?? []).filter((word) => word !== '');
  return words.length === 0 ? null : [...new Set(words)].join(' ');
}

export function connectFirst(server: string): AppError {
  return new AppError({
    code: 'unauthenticated',
    message: `Connect your account to ${server}: open Settings, Connected accounts, then ask again.`,
  });
}

export function connectAgain(server: string): AppError {
  return new AppError({
    code: 'unauthenticated',
    message: `${server} no longer takes the sign-in of your account. Connect it again: open Settings, Connected accounts, then ask again.`,
  });
}

export function connectForMore(server: string, scope: string): AppError {
  return new AppError({
    code: 'unauthenticated',
    message: `${server} asks for more rights (${scope}). Connect your account again to give them: open Settings, Connected accounts, then ask again.`,
  });
}
