import { createHash } from 'node:crypto';

/** A challenge of the method S256 (RFC 7636 section 4.2): a SHA-256 in 43 signs. */
export function isChallenge(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Whether the verifier is the one that the challenge was made from. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
}
