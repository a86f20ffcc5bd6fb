import type { AuditLog } from '#lib/audit/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import type { RightsBell, TenantStore, UserStore } from '#lib/tenancy/index.ts';

export interface SignInSession {
  readonly id: Id<'signInSession'>;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface SignInSessionStore {
  add(session: SignInSession & { readonly userId: Id<'user'>; readonly expiresAt: Date }): Promise<void>;
  /** Those that serve, the last seen first. */
  list(userId: Id<'user'>): Promise<SignInSession[]>;
  /** Ends one at once. False when the person has no such session that serves. */
  revoke(session: { id: Id<'signInSession'>; userId: Id<'user'> }): Promise<boolean>;
  /** From now on it looks as this role in the role's tenant; null: as the person. False when it does not serve. */
  view(session: { id: Id<'signInSession'>; userId: Id<'user'>; roleId: Id<'role'> | null }): Promise<boolean>;
  /** Ends all of a person's, but for one to be kept. Returns how many served until then. */
  revokeAllOf(person: { userId: Id<'user'>; except: Id<'signInSession'> | null }): Promise<number>;
}

/** What a link to a new password stands for. */
export interface PasswordReset {
  readonly userId: Id<'user'>;
  /** The tenant whose admin made it; null: an operator did. */
  readonly tenantId: Id<'tenant'> | null;
}

export interface PasswordResetStore {
  /** In the place of the person's earlier ones. */
  put(reset: PasswordReset & { readonly hash: string; readonly expiresAt: Date }): Promise<void>;
  /** One that still serves. */
  find(hash: string): Promise<PasswordReset | null>;
  /** Takes it, so that nobody else can. Null when it serves no more. */
  take(hash: string): Promise<PasswordReset | null>;
  removeAllOf(userId: Id<'user'>): Promise<void>;
}

/** Makes the tokens of links: 32 random bytes; `hash` is what is stored and looked up. */
export interface LinkTokens {
  mint(): { readonly token: string; readonly hash: string };
  hash(token: string): string;
}

/** Who somebody is at the provider by which they sign in. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface OidcIdentityStore {
  /** Until the transaction ends, nobody else signs in as this subject for the first time. */
  lock(identity: OidcIdentity): Promise<void>;
  findUserId(identity: OidcIdentity): Promise<Id<'user'> | null>;
  /** Whether the account is somebody's at this provider already. */
  isLinked(account: { issuer: string; userId: Id<'user'> }): Promise<boolean>;
  add(identity: OidcIdentity & { readonly userId: Id<'user'> }): Promise<void>;
}

/** A group of the provider, and the role that its people have in the tenant. */
export interface GroupRole {
  readonly group: string;
  readonly role: { readonly id: Id<'role'>; readonly key: string; readonly name: string; readonly permissions: readonly string[] };
}

export interface GroupRoleStore {
  /** In their order: of several that fit, the first counts. */
  list(): Promise<GroupRole[]>;
  replace(groupRoles: readonly { readonly group: string; readonly roleId: Id<'role'> }[]): Promise<void>;
}

/** Across tenants, and of the groups that are named alone. */
export interface ClaimedGroups {
  listTenantIds(groups: readonly string[]): Promise<Id<'tenant'>[]>;
}

/** The provider that the deployment signs people in by. */
export interface OidcSettings {
  /** As its tokens name it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button on the sign-in page says after "Continue with"; null: no name of its own. */
  readonly label: string | null;
  readonly scope: string;
  /** The claim that lists a person's groups. */
  readonly groupsClaim: string;
}

/** The platform stores of this module. */
export interface AuthStores {
  readonly tenants: TenantStore;
  readonly users: UserStore;
  readonly signInSessions: SignInSessionStore;
  readonly passwordResets: PasswordResetStore;
  readonly identities: OidcIdentityStore;
  readonly claimedGroups: ClaimedGroups;
  readonly rights: RightsBell;
  readonly audit: AuditLog;
}

/** Counts attempts to sign in, over all processes. */
export interface SignInLimiter {
  /** Takes one attempt. Throws `rate_limited` when there are none left, with `details.retryAfterSeconds`. */
  consume(attempt: { email: string; ip: string }): Promise<void>;
  /** After a success the account's earlier failures count no more, and the success itself not against the address. */
  reset(attempt: { email: string; ip: string }): Promise<void>;
  /** The same two for a way in without a password: counted by address alone. */
  consumeOf(ip: string): Promise<void>;
  resetOf(ip: string): Promise<void>;
}

/** Requests of one sender within one window. */
export interface RequestCount {
  readonly key: string;
  /** Number of the window since 1970. */
  readonly window: number;
  readonly count: number;
}

export interface RequestCountStore {
  /** Adds to what all processes have counted, and gives the sums. */
  add(counts: readonly RequestCount[]): Promise<RequestCount[]>;
}

/** Where a request came from, as far as that can be known. */
export interface Sender {
  readonly ip: string;
  readonly userAgent: string | null;
}
