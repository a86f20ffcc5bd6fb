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
}

/** The platform stores of this module. */
export interface AuthStores {
  readonly tenants: TenantStore;
  readonly users: UserStore;
  readonly signInSessions: SignInSessionStore;
  readonly rights: RightsBell;
  readonly audit: AuditLog;
}

/** Counts attempts to sign in, over all processes. */
export interface SignInLimiter {
  /** Takes one attempt. Throws `rate_limited` when there are none left, with `details.retryAfterSeconds`. */
  consume(attempt: { email: string; ip: string }): Promise<void>;
  /** After a success the account's earlier failures count no more, and the success itself not against the address. */
  reset(attempt: { email: string; ip: string }): Promise<void>;
}

/** Where a request came from, as far as that can be known. */
export interface Sender {
  readonly ip: string;
  readonly userAgent: string | null;
}
