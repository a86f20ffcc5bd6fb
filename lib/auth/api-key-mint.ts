import { createHash, randomBytes } from 'node:crypto';
import type { ApiKeyMint } from '#lib/tenancy/index.ts';

const SHAPE = /^bw_[A-Za-z0-9_-]{43}$/;
const HINT_LENGTH = 9;

export const apiKeyMint: ApiKeyMint = {
  mint() {
    const key = `bw_${randomBytes(32).toString('base64url')}`;
    return { key, hint: key.slice(0, HINT_LENGTH), hash: hashApiKey(key) };
  },
};

/** What a presented key is looked up by. Returns null for text that cannot be a key. */
export function findApiKeyHash(text: string): string | null {
  return SHAPE.test(text) ? hashApiKey(text) : null;
}

/** The key is 32 random bytes: a slow hash would protect nothing and cost on every request. */
function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
