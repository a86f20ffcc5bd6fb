import { encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { cookieSecret, findSignedIn, readCookies, sessionCookies } from './session-cookie.ts';

const config = { instanceId: 'abcd1234', publicUrl: new URL('http://127.0.0.1:3000'), secret: 's'.repeat(32) };
const userId = newId('user');
const signInSessionId = newId('signInSession');
const { name } = sessionCookies(config).sessionToken;

const token = (content: Record<string, unknown>, secret = cookieSecret(config)) => encode({ token: content, secret });

describe('findSignedIn', () => {
  it('reads the two ids from the cookie', async () => {
    const cookie = `other=1; ${name}=${await token({ sub: userId, signInSessionId })}`;
    expect(await findSignedIn(config, cookie)).toEqual({ userId, signInSessionId });
  });

  it('takes a cookie of another secret, instance or shape for none', async () => {
    expect(await findSignedIn(config, null)).toBeNull();
    expect(await findSignedIn(config, `${name}=nonsense`)).toBeNull();
    expect(await findSignedIn(config, `${name}=${await token({ sub: userId, signInSessionId }, 'another')}`)).toBeNull();
    expect(await findSignedIn(config, `${name}=${await token({ sub: signInSessionId, signInSessionId: userId })}`)).toBeNull();
    const elsewhere = sessionCookies({ ...config, instanceId: 'ffff0000' }).sessionToken.name;
    expect(await findSignedIn(config, `${elsewhere}=${await token({ sub: userId, signInSessionId })}`)).toBeNull();
  });
});

describe('sessionCookies', () => {
  it('are secure, and say so in their names, exactly where the address is https', () => {
    expect(sessionCookies(config).sessionToken).toMatchObject({
      name: 'bailiwick-session-abcd1234',
      options: { secure: false, httpOnly: true, sameSite: 'lax' },
    });
    const secure = sessionCookies({ ...config, publicUrl: new URL('https://agents.example.com') });
    expect(secure.sessionToken).toMatchObject({ name: '__Secure-bailiwick-session-abcd1234', options: { secure: true } });
    expect(secure.csrfToken.name).toBe('__Host-bailiwick-csrf-abcd1234');
  });
});

describe('readCookies', () => {
  it('takes names and values apart, and the first of two with one name', () => {
    expect(readCookies('a=1; b="two"; a=3; c=%E4%BD%A0; broken; =x; d=50%')).toEqual({ a: '1', b: 'two', c: '你', d: '50%' });
  });

  it('holds a name that every object has', () => {
    expect(Object.keys(readCookies('__proto__=1; constructor=2')).sort()).toEqual(['__proto__', 'constructor']);
  });
});
