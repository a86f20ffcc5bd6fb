/** Why a sign-in by the provider was refused, as its person may know it; the sign-in page has a cause and a next step for each. */
export const OIDC_REFUSALS = [
  /** The provider cannot be reached, or fails. */
  'provider-down',
  /** State, nonce or code do not fit this browser, or the code was used or is too old. */
  'stale',
  /** Its person, or the provider, said no. */
  'declined',
  /** The answer does not bear examination: signature, audience, issuer. */
  'unproved',
  'unverified-email',
  /** The address belongs to an account that another person of the provider has linked. */
  'other-identity',
  /** Operators sign in by password: the provider's admins do not become the deployment's. */
  'operator-account',
  'disabled-account',
  /** Nobody has let this person in yet. */
  'no-workspace',
  'rate-limited',
] as const;

export type OidcRefusal = (typeof OIDC_REFUSALS)[number];

/** What went wrong in the protocol, from what the library says of it. */
export function classifyProtocolFailure(failure: { message: string; code?: string | undefined }): OidcRefusal {
  const { message, code = '' } = failure;
  if (/\baccess_denied\b|\blogin_required\b|\bconsent_required\b/.test(message)) return 'declined';
  if (
    /^(E[A-Z_]+|UND_ERR_\w+|forbidden_address)$/.test(code) ||
    /timed out|expected 200 OK, got: 5\d\d|ECONN|server_error|temporarily_unavailable/.test(message)
  )
    return 'provider-down';
  if (/\b(state|nonce)\b.*(mismatch|missing)|cookie was|could not be parsed|checks\.\w+ argument is missing|invalid_grant/i.test(message))
    return 'stale';
  return 'unproved';
}
