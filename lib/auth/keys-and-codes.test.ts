import { describe, expect, it } from 'vitest';
import { apiKeyMint, findApiKeyHash } from './api-key-mint.ts';
import { readCredentials } from './read-credentials.ts';
import { setupCodes } from './setup-codes.ts';

describe('apiKeyMint', () => {
  it('makes keys that are found by their hash', () => {
    const { key, hint, hash } = apiKeyMint.mint();
    expect(key).toMatch(/^bw_[A-Za-z0-9_-]{43}$/);
    expect(key.startsWith(hint)).toBe(true);
    expect(findApiKeyHash(key)).toBe(hash);
    expect(apiKeyMint.mint().key).not.toBe(key);
  });

  it('looks nothing up that cannot be a key', () => {
    for (const text of ['', 'bw_', `bw_${'a'.repeat(42)}`, `bw_${'a'.repeat(44)}`, `xx_${'a'.repeat(43)}`, `bw_${'a'.repeat(42)}\u0000`]) {
      expect(findApiKeyHash(text)).toBeNull();
    }
  });
});

describe('setupCodes', () => {
  it('know the code again as a person types it, and no other', () => {
    const { code, hash } = setupCodes.mint();
    expect(code).toMatch(/^[0-9a-f]{10}(-[0-9a-f]{10}){3}$/);
    expect(setupCodes.matches(code, hash)).toBe(true);
    expect(setupCodes.matches(code.toUpperCase().replaceAll('-', ' '), hash)).toBe(true);
    for (const wrong of ['', code.slice(1), `${code}a`, setupCodes.mint().code]) expect(setupCodes.matches(wrong, hash)).toBe(false);
    expect(setupCodes.matches(code, '')).toBe(false);
  });
});

describe('readCredentials', () => {
  const config = { instanceId: 'abcd1234', publicUrl: new URL('http://127.0.0.1:3000'), secret: 's'.repeat(32) };

  it('takes a bearer token for an API key', async () => {
    const { key, hash } = apiKeyMint.mint();
    for (const authorization of [`Bearer ${key}`, `bearer  ${key}`]) {
      expect(await readCredentials(config, new Headers({ authorization }))).toEqual({ kind: 'api-key', hash });
    }
  });

  it('does not fall back on a cookie when the header is no good', async () => {
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', '']) {
      expect(await readCredentials(config, new Headers({ authorization, cookie: 'bailiwick-session-abcd1234=x' }))).toBeNull();
    }
  });
});
