import type { Config } from '#lib/config/index.ts';
import { oncePerProcess } from '#lib/telemetry/index.ts';
import type { Account, Actor, Credentials } from '#lib/tenancy/index.ts';
import type { OidcRefusal } from './domain/oidc-refusal.ts';
import type { OidcProvider } from './oidc-client.ts';
import type { Sender } from './ports.ts';
import type { SignedIn } from './sign-in.ts';

/** Something a sender wanted and did not get. */
export interface Refusal {
  readonly method: string;
  readonly path: string;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

/** What routes and pages ask about whoever sends a request. `lib/composition` makes it. */
export interface AuthRuntime {
  readonly config: Pick<Config, 'host' | 'publicUrl' | 'instanceId' | 'secret' | 'metricsToken'>;
  /** null: the tenant that an API key belongs to. Who looks as another role does is that, unless `asOneself`. */
  resolveActor(tenantSlug: string | null, credentials: Credentials | null, as?: { asOneself?: boolean }): Promise<Actor>;
  /** Counts one request. Throws `rate_limited`. */
  admit(sender: Actor | Account): void;
  getAccount(credentials: Credentials | null): Promise<Account>;
  /** Into the audit log of the actor's tenant or, for someone who is a member of none that was named, the platform's. */
  recordRefusal(sender: { actor: Actor } | { userId: SignedIn['userId'] | null }, refusal: Refusal): Promise<void>;
  signInWithPassword(given: unknown, sender: Sender): Promise<SignedIn>;
  signInToDemo(sender: Sender & { readonly isTrusted: boolean }): Promise<SignedIn>;
  /** The sign-in provider, to begin with or to come back from. Throws `rate_limited`, `unavailable`, `not_found` where there is none. */
  openOidc(step: 'signin' | 'callback', sender: Sender): Promise<OidcProvider>;
  signInWithOidc(idToken: unknown, sender: Sender): Promise<SignedIn>;
  /** Puts a refusal on the record and throws it. */
  refuseOidc(refused: { refusal: OidcRefusal; userId: SignedIn['userId'] | null; email: string }, sender: Sender): Promise<never>;
  endSignIn(signedIn: SignedIn): Promise<void>;
}

/** Held for the process and not in a module: each of Next's bundles has a copy of this file. */
const held = oncePerProcess<{ runtime: AuthRuntime | null }>('auth-runtime', () => ({ runtime: null }));

export function startAuth(runtime: AuthRuntime): void {
  held.runtime = runtime;
  // next-auth reads its own address from here alone; without it, it would believe the Host header.
  process.env.NEXTAUTH_URL = runtime.config.publicUrl.origin;
}

export function authRuntime(): AuthRuntime {
  if (!held.runtime) throw new Error('The application has not started: lib/composition starts the sign-in.');
  return held.runtime;
}
