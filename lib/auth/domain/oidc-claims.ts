import { z } from 'zod';

/** What an ID token says of a person, as far as it counts here. Its signature, issuer, audience, times and nonce were checked before. */
export interface OidcClaims {
  readonly subject: string;
  /** Lower-cased, and only where the provider says that it is the person's: an address that is merely claimed is nobody's. */
  readonly verifiedEmail: string | null;
  readonly name: string | null;
  /** null: the token leaves them out because there are too many, so nothing can be told from it. */
  readonly groups: readonly string[] | null;
}

const idToken = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).optional().catch(undefined),
  // Some providers send it as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().trim().min(1).optional().catch(undefined),
  _claim_names: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const groupList = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const MOST_GROUPS = 1000;

/** Reads the claims; throws what zod throws when there is no subject. A groups claim that is missing or no list is an empty one. */
export function readOidcClaims(token: unknown, groupsClaim: string): OidcClaims {
  // The claim's own name (OpenID Connect Core 5.6.2): which claims are to be had elsewhere.
  const { _claim_names: elsewhere, ...claims } = idToken.parse(token);
  const listed = groupList.safeParse(Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : []);
  const isLeftOut = elsewhere !== undefined && Object.hasOwn(elsewhere, groupsClaim);
  return {
    subject: claims.sub,
    verifiedEmail: claims.email_verified === true && claims.email ? claims.email.trim().toLowerCase() : null,
    name: claims.name?.slice(0, 80) ?? null,
    groups: isLeftOut ? null : listed.success ? listed.data.slice(0, MOST_GROUPS) : [],
  };
}
