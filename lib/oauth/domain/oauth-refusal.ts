/** The words for refusals that programs know (RFC 6749 section 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'temporarily_unavailable';

/** Each of Next's bundles has a copy of this class, so `instanceof` would tell two of them apart. */
const BRAND = Symbol.for('bailiwick.OAuthRefusal');

/** A refusal in the protocol's own words: programs act on `error`, people read the description. */
export class OAuthRefusal extends Error {
  readonly [BRAND] = true;
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(description);
    this.name = 'OAuthRefusal';
    this.error = error;
  }
}

export function isOAuthRefusal(error: unknown): error is OAuthRefusal {
  return typeof error === 'object' && error !== null && BRAND in error;
}
