import type { AuditLog } from '#lib/audit/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import type { ApiKeyStore } from '#lib/tenancy/index.ts';

/** A program that has introduced itself. It has no secret: what it is handed is bound to a key that it proves (PKCE). */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: Date;
}

/** What a person has allowed, until the program fetches it. */
export interface AuthorizationCode {
  readonly clientId: string;
  readonly tenantId: Id<'tenant'>;
  readonly userId: Id<'user'>;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly expiresAt: Date;
  /** The key that the program got for it; null: it has not fetched it yet. */
  readonly apiKeyId: Id<'apiKey'> | null;
}

/** By which a program gets its next access token. Each serves once. */
export interface RefreshToken {
  readonly clientId: string;
  readonly tenantId: Id<'tenant'>;
  readonly userId: Id<'user'>;
  readonly apiKeyId: Id<'apiKey'>;
  readonly expiresAt: Date;
  readonly isUsed: boolean;
}

/** Platform tables: whoever presents a code or a token is not known yet. Both are kept by their hashes. */
export interface OAuthStore {
  addClient(client: OAuthClient): Promise<void>;
  findClient(id: string): Promise<OAuthClient | null>;
  /** Forgets programs that nobody has allowed anything before `before`; gives how many such are left. */
  pruneClients(before: Date): Promise<number>;
  addCode(code: Omit<AuthorizationCode, 'apiKeyId'> & { readonly hash: string }): Promise<void>;
  findCode(hash: string): Promise<AuthorizationCode | null>;
  /** Gives the code its key, once: false when it has one already. */
  takeCode(hash: string, apiKeyId: Id<'apiKey'>): Promise<boolean>;
  addRefresh(token: Omit<RefreshToken, 'isUsed'> & { readonly hash: string }): Promise<void>;
  /** Keys that programs act by for this person, ended ones included. */
  listKeysOf(userId: Id<'user'>): Promise<{ tenantId: Id<'tenant'>; apiKeyId: Id<'apiKey'> }[]>;
  findRefresh(hash: string): Promise<RefreshToken | null>;
  /** False when it was used already. */
  takeRefresh(hash: string): Promise<boolean>;
}

export interface OAuthStores {
  readonly oauth: OAuthStore;
}

/** The same tables, beside those of the tenant in which a key is made. */
export interface OAuthTenantStores extends OAuthStores {
  readonly apiKeys: ApiKeyStore;
  readonly audit: AuditLog;
}
