import { createHash, randomBytes } from 'node:crypto';
import type { InvitationMint } from '#lib/tenancy/index.ts';

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

export const invitationMint: InvitationMint = {
  mint() {
    const token = randomBytes(32).toString('base64url');
    return { token, hash: hash(token) };
  },
  findHash: (token) => (SHAPE.test(token) ? hash(token) : null),
};

/** The token is 32 random bytes: a slow hash would protect nothing. */
function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
