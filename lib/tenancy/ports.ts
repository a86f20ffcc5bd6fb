import type { Id, JsonObject, TenantScope } from '#lib/kernel/index.ts';
import type { Account } from './domain/account.ts';
import type { Permission } from './domain/permission.ts';

/** What a request brings to prove who sends it. */
export type Credentials =
  | { readonly kind: 'sign-in'; readonly userId: Id<'user'>; readonly signInSessionId: Id<'signInSession'> }
  /** `hash`: SHA-256 of the presented key, hex. */
  | { readonly kind: 'api-key'; readonly hash: string };

/** One member's rights as they stand in the database at this moment. */
export interface MemberRights {
  readonly tenantId: Id<'tenant'>;
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly name: string;
  readonly locale: string | null;
  readonly timeZone: string;
  readonly roleKey: string;
  readonly roleName: string;
  readonly rolePermissions: readonly string[];
  /** Set when an API key is used. */
  readonly apiKey: { readonly id: Id<'apiKey'>; readonly scopes: readonly string[] } | null;
  /** The role of this tenant as which the sign-in session looks; null: as themselves. */
  readonly viewedRole: { readonly key: string; readonly name: string; readonly permissions: readonly string[] } | null;
  /** The operator keeps the tenant shut. */
  readonly isTenantSuspended: boolean;
}

/**
 * Reads rights in one round trip. A closed tenant, a disabled member, a disabled account, and a session or key that has
 * ended count as absent. `null` means that the credentials serve nowhere; `{ member: null }` that they serve, but not here.
 */
export interface RightsReader {
  readBySignIn(request: {
    slug: string;
    userId: Id<'user'>;
    signInSessionId: Id<'signInSession'>;
  }): Promise<{ readonly member: MemberRights | null } | null>;
  readByApiKey(request: { slug: string | null; hash: string }): Promise<{ readonly member: MemberRights | null } | null>;
  readOfRun(request: { tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: Id<'apiKey'> | null }): Promise<MemberRights | null>;
  readAccount(request: { userId: Id<'user'>; signInSessionId: Id<'signInSession'> }): Promise<Account | null>;
}

export interface Tenant {
  readonly id: Id<'tenant'>;
  readonly slug: string;
  readonly name: string;
  readonly isDemo: boolean;
  readonly defaultLocale: 'en' | 'zh-CN' | null;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

export interface TenantStore {
  /** Throws `slug_taken`. */
  add(tenant: { id: Id<'tenant'>; slug: string; name: string; isDemo: boolean }): Promise<void>;
  find(id: Id<'tenant'>): Promise<Tenant | null>;
  findBySlug(slug: string): Promise<Tenant | null>;
  /** The tenants in which the person may act, by name. */
  listOfUser(userId: Id<'user'>): Promise<Tenant[]>;
  /** Those in which the person's role comes from a group; shown to that person's scope alone. */
  listIdsByGroupOf(userId: Id<'user'>): Promise<Id<'tenant'>[]>;
  /** The tenants that the person is a member of, locked out or not. Row-level security shows them to that person's scope alone. */
  listIdsOfUser(userId: Id<'user'>): Promise<Id<'tenant'>[]>;
  update(id: Id<'tenant'>, change: { name?: string | undefined; defaultLocale?: 'en' | 'zh-CN' | null | undefined }): Promise<void>;
  /** null lets it go on. */
  suspend(id: Id<'tenant'>, at: Date | null): Promise<void>;
  /** From the commit on it is nobody's any more, and its purge is due. */
  close(tenant: Pick<Tenant, 'id' | 'slug' | 'name'>, by: { userId: Id<'user'>; at: Date }): Promise<void>;
  /** Until the transaction ends, nobody else changes who may do what in this tenant. */
  lockRights(id: Id<'tenant'>): Promise<void>;
}

export interface User {
  readonly id: Id<'user'>;
  readonly email: string;
  readonly name: string;
  readonly isDisabled: boolean;
  readonly isOperator: boolean;
  /** IANA name; null: that of the browser. */
  readonly timeZone: string | null;
}

export interface UserStore {
  /** Throws `email_taken`. */
  add(user: { id: Id<'user'>; email: string; name: string; passwordHash: string | null; isOperator: boolean }): Promise<void>;
  find(userId: Id<'user'>): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  /** Oldest first, after `after`. `text`: a part of the name or the address, whatever its case. */
  list(page: { after: Id<'user'> | null; limit: number; text?: string | undefined; isDisabled?: boolean | undefined }): Promise<User[]>;
  findPasswordHash(userId: Id<'user'>): Promise<string | null>;
  /** null: they sign in elsewhere from now on. */
  setPasswordHash(userId: Id<'user'>, passwordHash: string | null): Promise<void>;
  update(
    userId: Id<'user'>,
    change: {
      name?: string | undefined;
      locale?: string | null | undefined;
      theme?: string | null | undefined;
      timeZone?: string | null | undefined;
    },
  ): Promise<void>;
  /** Shuts an account out of the whole deployment since `at`, or lets it in again with null. */
  setDisabled(userId: Id<'user'>, at: Date | null): Promise<void>;
  hasOperator(): Promise<boolean>;
  isOperator(userId: Id<'user'>): Promise<boolean>;
}

export interface Role {
  readonly id: Id<'role'>;
  readonly key: string;
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly permissions: readonly string[];
  readonly memberCount: number;
}

export interface RoleStore {
  list(): Promise<Role[]>;
  find(id: Id<'role'>): Promise<Role | null>;
  findByKey(key: string): Promise<Role | null>;
  /** Throws `role_exists`. */
  add(role: Omit<Role, 'memberCount'>): Promise<void>;
  update(id: Id<'role'>, change: { name: string; permissions: readonly string[] }): Promise<void>;
  /** Throws `role_in_use`. */
  remove(id: Id<'role'>): Promise<void>;
}

export interface Member {
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly name: string;
  readonly role: { readonly id: Id<'role'>; readonly key: string; readonly name: string; readonly permissions: readonly string[] };
  readonly joinedAt: Date;
  readonly disabledAt: Date | null;
  /** Whether the role comes from a group of the sign-in provider. */
  readonly isFromGroup: boolean;
}

export interface MemberStore {
  /** Oldest account first, after `after`. `text`: a part of the name or the address, whatever its case. */
  list(page: { after: Id<'user'> | null; limit: number; text?: string | undefined; roleKey?: string | undefined }): Promise<Member[]>;
  find(userId: Id<'user'>): Promise<Member | null>;
  /** Who can act and has the permission, oldest account first. */
  listHolders(permission: Permission, limit: number): Promise<Member[]>;
  /** Throws `member_exists`. */
  add(member: { userId: Id<'user'>; roleId: Id<'role'>; isFromGroup?: boolean }): Promise<void>;
  /** A role that somebody gives is no group's any more, unless it says so. */
  update(
    userId: Id<'user'>,
    change: { roleId?: Id<'role'> | undefined; disabledAt?: Date | null | undefined; isFromGroup?: boolean },
  ): Promise<void>;
  remove(userId: Id<'user'>): Promise<void>;
  /** Owners who can act, without this person. */
  countOtherOwners(userId: Id<'user'>): Promise<number>;
}

/** A member's wish for a permission. A decided one is never open again. */
export interface AccessRequest {
  readonly id: Id<'accessRequest'>;
  readonly requester: { readonly userId: Id<'user'>; readonly name: string };
  readonly permission: Permission;
  readonly reason: string;
  readonly state: 'OPEN' | 'GRANTED' | 'REFUSED' | 'WITHDRAWN';
  readonly decidedBy: { readonly userId: Id<'user'>; readonly name: string } | null;
  readonly decidedAt: Date | null;
  readonly note: string | null;
  readonly createdAt: Date;
}

export interface AccessRequestStore {
  /** Throws `conflict` when the person has an open one for this permission. */
  add(request: { id: Id<'accessRequest'>; userId: Id<'user'>; permission: Permission; reason: string; createdAt: Date }): Promise<void>;
  find(id: Id<'accessRequest'>): Promise<AccessRequest | null>;
  /** As `find`, and nobody else decides it until the transaction ends. */
  lock(id: Id<'accessRequest'>): Promise<AccessRequest | null>;
  /** Newest first; `ofUser` null: everyone's. */
  list(filter: {
    ofUser: Id<'user'> | null;
    state?: AccessRequest['state'] | undefined;
    permission?: Permission | undefined;
    limit: number;
  }): Promise<AccessRequest[]>;
  decide(
    id: Id<'accessRequest'>,
    decision: { state: Exclude<AccessRequest['state'], 'OPEN'>; by: Id<'user'>; at: Date; note: string | null },
  ): Promise<void>;
  countOpen(): Promise<number>;
}

export interface ApiKey {
  readonly id: Id<'apiKey'>;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly createdBy: { readonly userId: Id<'user'>; readonly name: string };
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface ApiKeyStore {
  /** Newest first, older than `before`. */
  list(page: { before: Id<'apiKey'> | null; limit: number }): Promise<ApiKey[]>;
  find(id: Id<'apiKey'>): Promise<ApiKey | null>;
  add(key: {
    id: Id<'apiKey'>;
    name: string;
    hint: string;
    hash: string;
    userId: Id<'user'>;
    scopes: readonly string[];
    expiresAt: Date | null;
  }): Promise<void>;
  /** A new secret in the place of the old, which serves no more. False when the key was revoked. */
  renew(id: Id<'apiKey'>, to: { hash: string; hint: string; expiresAt: Date }): Promise<boolean>;
  revoke(id: Id<'apiKey'>, at: Date): Promise<void>;
  revokeAllOf(userId: Id<'user'>, at: Date): Promise<void>;
}

export interface Invitation {
  readonly id: Id<'invitation'>;
  readonly role: { readonly id: Id<'role'>; readonly key: string; readonly name: string; readonly permissions: readonly string[] };
  readonly note: string;
  readonly invitedBy: { readonly userId: Id<'user'>; readonly name: string };
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly acceptedBy: { readonly userId: Id<'user'>; readonly name: string } | null;
}

export interface InvitationStore {
  /** Newest first, older than `before`. */
  list(page: { before: Id<'invitation'> | null; limit: number }): Promise<Invitation[]>;
  find(id: Id<'invitation'>): Promise<Invitation | null>;
  add(invitation: {
    id: Id<'invitation'>;
    hash: string;
    roleId: Id<'role'>;
    note: string;
    invitedBy: Id<'user'>;
    expiresAt: Date;
  }): Promise<void>;
  revoke(id: Id<'invitation'>, at: Date): Promise<void>;
  /** Uses it up. False when it was used, withdrawn or has expired: of two at once, one gets true. */
  use(id: Id<'invitation'>, by: { userId: Id<'user'>; at: Date }): Promise<boolean>;
}

/** From a link's hash to the invitation, before its tenant is known. */
export interface InvitationHashStore {
  find(hash: string): Promise<{ readonly tenantId: Id<'tenant'>; readonly invitationId: Id<'invitation'> } | null>;
}

/** Wakes whoever serves open streams, once the transaction has committed, so that lost rights close them. */
export interface RightsBell {
  /** `userId` null: everyone in the tenant may be concerned (a role was changed). */
  ring(change: { tenantId: Id<'tenant'> | null; userId: Id<'user'> | null }): Promise<void>;
}

/** A deleted tenant whose rows are being removed. */
export interface Purge {
  readonly tenantId: Id<'tenant'>;
  readonly slug: string;
  readonly name: string;
  readonly requestedBy: Id<'user'>;
  readonly requestedAt: Date;
  readonly totalRows: number | null;
  readonly purgedRows: number;
  readonly finishedAt: Date | null;
}

/** What the platform's job needs to remove everything of a closed tenant. Each step may be repeated, by two processes at once too. */
export interface PurgeStore {
  listUnfinished(): Promise<Purge[]>;
  /** Asks every run that is open to stop; returns how many are being driven at this moment. */
  stopRuns(tenantId: Id<'tenant'>, by: Id<'user'>): Promise<number>;
  /** Runs after `after` with the number of their segments, by id. */
  listRuns(
    tenantId: Id<'tenant'>,
    after: Id<'run'> | null,
    limit: number,
  ): Promise<{ readonly id: Id<'run'>; readonly segments: number }[]>;
  /** Every table that has rows of tenants, those that refer to others first. */
  listTables(): Promise<string[]>;
  count(table: string, tenantId: Id<'tenant'>): Promise<number>;
  /** Keeps the first count. */
  setTotal(tenantId: Id<'tenant'>, rows: number): Promise<void>;
  /** Removes up to `limit` rows and counts them as done; returns how many. */
  removeRows(table: string, tenantId: Id<'tenant'>, limit: number): Promise<number>;
  /** Removes the tenant's own row and counters kept for it, and records it. */
  finish(purge: Purge, at: Date): Promise<void>;
}

export interface OperatedTenant extends Pick<Tenant, 'id' | 'slug' | 'name' | 'isDemo' | 'suspendedAt' | 'createdAt'> {
  readonly members: number;
  readonly chats: number;
  readonly runs: number;
  readonly openRuns: number;
  readonly documents: number;
  readonly lastRunAt: Date | null;
}

/** What operators see over all tenants: counts, never content. */
export interface OperatorStore {
  listTenants(): Promise<OperatedTenant[]>;
  /** The newest first; of one person where `requestedBy` is given. */
  listPurges(of: { requestedBy?: Id<'user'>; limit: number }): Promise<Purge[]>;
}

/** The audit events of this module; `lib/audit` holds the whole catalogue. */
export interface TenancyAudit {
  record(entry: {
    readonly type:
      | 'access.granted'
      | 'access.refused'
      | 'access.requested'
      | 'access.withdrawn'
      | 'api-key.created'
      | 'api-key.revoked'
      | 'invitation.accepted'
      | 'invitation.created'
      | 'invitation.revoked'
      | 'member.added'
      | 'member.changed'
      | 'member.removed'
      | 'permission.denied'
      | 'role.created'
      | 'role.deleted'
      | 'role.updated'
      | 'tenant.created'
      | 'tenant.deleted'
      | 'tenant.purged'
      | 'tenant.resumed'
      | 'tenant.suspended'
      | 'tenant.updated';
    readonly actor?: { readonly kind: 'user' | 'api-key' | 'system' | 'unknown'; readonly id: string };
    readonly target: { readonly kind: string; readonly id: string; readonly name?: string };
    readonly details?: JsonObject;
  }): Promise<void>;
}

/** One row per setting of the deployment. */
export interface SettingStore {
  find(key: string): Promise<unknown>;
  put(key: string, value: JsonObject): Promise<void>;
  /** Until the transaction ends, nobody else sets the deployment up. */
  lockSetup(): Promise<void>;
}

/** Every store of this module; a use case asks for the subset it needs. */
export interface TenancyStores {
  readonly tenants: TenantStore;
  readonly users: UserStore;
  readonly roles: RoleStore;
  readonly members: MemberStore;
  readonly accessRequests: AccessRequestStore;
  readonly apiKeys: ApiKeyStore;
  readonly invitations: InvitationStore;
  readonly settings: SettingStore;
  readonly rights: RightsBell;
  readonly audit: TenancyAudit;
  /** The platform's own record, which outlives the tenant. */
  readonly platformAudit: TenancyAudit;
}

/** What can be read and written before a tenant is known: the platform tables. */
export interface PlatformStores {
  readonly tenants: TenantStore;
  readonly invitationHashes: InvitationHashStore;
  readonly users: UserStore;
  readonly settings: SettingStore;
  readonly rights: RightsBell;
  readonly audit: TenancyAudit;
}

/** One transaction outside any tenant. Row-level security shows it no tenant's rows, but for the memberships of `userId`. */
export interface PlatformUnitOfWork<Stores> {
  within<Result>(scope: Omit<TenantScope, 'tenantId'>, work: (stores: Stores) => Promise<Result>): Promise<Result>;
}

/** Slow by design (argon2id); `verify` takes as long for a malformed hash as for a wrong password. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Makes keys of 32 random bytes; `hash` is what is stored and looked up. */
export interface ApiKeyMint {
  mint(): { readonly key: string; readonly hint: string; readonly hash: string };
}

/** Makes tokens of 32 random bytes for links; `hash` is what is stored and looked up. */
export interface InvitationMint {
  mint(): { readonly token: string; readonly hash: string };
  /** What a presented token is looked up by; null for text that cannot be one. */
  findHash(token: string): string | null;
}

/** One-time codes for setting the deployment up from elsewhere than its own machine. */
export interface SetupCodes {
  mint(): { readonly code: string; readonly hash: string };
  /** Compares in constant time. */
  matches(code: string, hash: string): boolean;
}
