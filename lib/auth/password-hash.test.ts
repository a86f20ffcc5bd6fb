import { describe, expect, it } from 'vitest';
import { passwordHasher } from './password-hash.ts';

const timed = async (hash: string | null) => {
  const startedAt = performance.now();
  await passwordHasher.verify('password', hash);
  return performance.now() - startedAt;
};

describe('passwordHasher', () => {
  it('writes argon2id in PHC form, with a salt of its own each time, and knows the password again', async () => {
    const [first, second] = await Promise.all([passwordHasher.hash('口令 pass'), passwordHasher.hash('口令 pass')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(first).not.toBe(second);
    expect(await passwordHasher.verify('口令 pass', first)).toBe(true);
    expect(await passwordHasher.verify('口令 pasS', first)).toBe(false);
  });

  it('knows a hash that another argon2id made with other costs', async () => {
    // From the argon2 reference implementation's test vectors (argon2id, version 19, t=2, m=2^8, p=1).
    const foreign = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    expect(await passwordHasher.verify('password', foreign)).toBe(true);
    expect(await passwordHasher.verify('passwort', foreign)).toBe(false);
  });

  it('takes composed and decomposed characters for the same', async () => {
    expect(await passwordHasher.verify('cafe\u0301', await passwordHasher.hash('caf\u00e9'))).toBe(true);
  });

  it('refuses where there is no hash or no readable one, after as much work', async () => {
    for (const hash of [null, '', 'plain', '$2b$10$abcdefghijklmnopqrstuv'])
      expect(await passwordHasher.verify('password', hash)).toBe(false);
    const real = await passwordHasher.hash('password');
    await timed(real);
    expect(await timed(null)).toBeGreaterThan((await timed(real)) / 5);
  });
});
