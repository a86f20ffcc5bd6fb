import { describe, expect, it } from 'vitest';
import { readOidcClaims } from './oidc-claims.ts';

const read = (claims: Record<string, unknown>, groupsClaim = 'groups') => readOidcClaims({ sub: 's', ...claims }, groupsClaim);

describe('readOidcClaims', () => {
  it('takes an address only where the provider vouches for it', () => {
    expect(read({ email: 'Ada@Example.test', email_verified: true }).verifiedEmail).toBe('ada@example.test');
    expect(read({ email: 'ada@example.test', email_verified: 'true' }).verifiedEmail).toBe('ada@example.test');
    for (const email_verified of [false, 'false', undefined, null, 1, {}])
      expect(read({ email: 'ada@example.test', email_verified }).verifiedEmail).toBeNull();
    expect(read({ email_verified: true }).verifiedEmail).toBeNull();
    expect(read({ email: 'no address', email_verified: true }).verifiedEmail).toBeNull();
  });

  it('reads groups from the claim that was set, one or many, and none from anything else', () => {
    expect(read({ groups: ['staff', 'admins'] }).groups).toEqual(['staff', 'admins']);
    expect(read({ roles: 'staff' }, 'roles').groups).toEqual(['staff']);
    for (const groups of [undefined, null, 7, { staff: true }, ['staff', 7]]) expect(read({ groups }).groups).toEqual([]);
    expect(read({}, 'constructor').groups).toEqual([]);
  });

  it('says when the groups were too many for the token', () => {
    expect(read({ _claim_names: { groups: 'src1' } }).groups).toBeNull();
  });

  it('refuses a token without a subject', () => {
    for (const sub of [undefined, '', 7]) expect(() => read({ sub })).toThrow(/sub/);
  });
});
