import { NextRequest } from 'next/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { config, proxy } from './proxy.ts';

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: 'postgres://u@127.0.0.1/x',
    BAILIWICK_SECRET: 's'.repeat(32),
    PUBLIC_URL: 'http://127.0.0.1:3000',
  });
});

const ask = (host: string, path: string, method = 'GET') => proxy(new NextRequest(`http://${host}${path}`, { method, headers: { host } }));

describe('proxy', () => {
  it('sends a page that is asked for under another host by way of the route that redirects', async () => {
    for (const [host, page] of [
      ['localhost:3000', '/acme/runs?state=RUNNING&q=%E4%BD%A0'],
      ['evil.test', '//evil.test/x'],
    ] as const) {
      const rewritten = new URL(ask(host, page).headers.get('x-middleware-rewrite') ?? '');
      expect(rewritten.pathname).toBe('/api/address');
      expect(Buffer.from(rewritten.searchParams.get('page') ?? '', 'base64url').toString()).toBe(page);
    }
    expect(ask('127.0.0.1:3000', '/acme').headers.has('x-middleware-rewrite')).toBe(false);
  });

  it('sets a policy with a nonce of its own for each page, and lets no inline script run', () => {
    const [first, second] = [ask('127.0.0.1:3000', '/acme/chat'), ask('127.0.0.1:3000', '/acme/chat')];
    const policy = first.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic';/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    // Next reads the nonce from the request it renders.
    expect(first.headers.get('x-middleware-request-content-security-policy')).toBe(policy);
  });

  it('is asked for pages alone', () => {
    const [matcher] = config.matcher;
    const isAsked = (path: string) => new RegExp(`^${matcher}$`).test(path);
    expect(['/', '/acme', '/acme/chat/ses_1', '/sign-in', '/apiary'].map(isAsked)).toEqual([true, true, true, true, true]);
    expect(['/api/healthz', '/_next/static/x.js', '/_next/image', '/favicon.ico'].map(isAsked)).toEqual([false, false, false, false]);
  });
});
