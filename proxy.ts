import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { readConfig } from '#lib/config/index.ts';

let publicUrl: URL | undefined;

/**
 * Before every page: sends people to the one address the deployment has, so that cookies and links agree, and sets the
 * headers under which the page runs. It never authorises: that happens beside the data.
 */
export function proxy(request: NextRequest): NextResponse {
  publicUrl ??= readConfig().publicUrl;
  const asked = (request.headers.get('x-forwarded-host') ?? request.headers.get('host') ?? '').toLowerCase();
  if (asked !== publicUrl.host && (request.method === 'GET' || request.method === 'HEAD')) {
    // By way of a route: Next makes the redirects of this file relative when they lead to the address it is bound to, and
    // a relative one would come back here for ever.
    const target = request.nextUrl.clone();
    target.pathname = '/api/address';
    // As one word: Next reads the query of a rewrite apart and anew.
    target.search = `?page=${Buffer.from(`${request.nextUrl.pathname}${request.nextUrl.search}`).toString('base64url')}`;
    return NextResponse.rewrite(target);
  }
  const policy = contentSecurityPolicy(randomBytes(16).toString('base64'));
  // Next reads the nonce for its own scripts from the request's policy.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  // Pages know their parameters, not their address: where a sign-in leads back to.
  headers.set('x-own-path', request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
} as const;

function contentSecurityPolicy(nonce: string): string {
  const isDevelopment = process.env.NODE_ENV === 'development';
  return [
    "default-src 'self'",
    // React's development build shows server stacks by way of eval.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // Style attributes, and the style elements that open dialogs write to hold the page still.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const config = {
  // Pages alone: the API sets its own headers, and a body that passes through here would be held in memory.
  matcher: ['/((?!api/|_next/static/|_next/image|fonts/|favicon\\.ico$|robots\\.txt$).*)'],
};
