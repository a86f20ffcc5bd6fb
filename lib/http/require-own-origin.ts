import { requestHost } from '#lib/auth/index.ts';
import { AppError } from '#lib/kernel/index.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export function isMutating(method: string): boolean {
  return !SAFE_METHODS.includes(method);
}

/**
 * A browser sends cookies along whatever page asked it to, and reaches this machine's loopback for any page: what changes
 * something must come from a page of ours. Throws `forbidden_origin`.
 * - `cookie`: the host must be ours, and a change must name our origin; browsers always do.
 * - `public`: nothing is taken from a cookie, so a script may leave the origin out; a browser names it.
 */
export function requireOwnOrigin(request: Request, publicUrl: URL, kind: 'cookie' | 'public'): void {
  const origin = request.headers.get('origin');
  if (kind === 'cookie' && requestHost(request.headers).toLowerCase() !== publicUrl.host) throw forbidden(`Use ${publicUrl.origin}.`);
  if (!isMutating(request.method)) return;
  if (origin === null && kind === 'public' && isFromNoBrowser(request.headers)) return;
  if (origin !== publicUrl.origin) throw forbidden(`A change by cookie must carry Origin: ${publicUrl.origin}.`);
}

function isFromNoBrowser(headers: Headers): boolean {
  return !headers.has('sec-fetch-site') && !headers.has('referer') && !headers.has('cookie');
}

function forbidden(advice: string): AppError {
  return new AppError({ code: 'forbidden_origin', message: `This request does not come from this site. ${advice}` });
}
