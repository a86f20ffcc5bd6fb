import { createHash, randomBytes } from 'node:crypto';
import type { LinkTokens } from './ports.ts';

export const linkTokens: LinkTokens = {
  mint() {
    const token = randomBytes(32).toString('base64url');
    return { token, hash: linkTokens.hash(token) };
  },
  /** The token is 32 random bytes: a slow hash would protect nothing. */
  hash: (token) => createHash('sha256').update(token).digest('hex'),
};
