/**
 * The host that the browser asked for. Next sets `x-forwarded-host` from `Host` where no proxy did; a page of another
 * origin cannot set either.
 */
export function requestHost(headers: Headers): string {
  return (headers.get('x-forwarded-host') ?? headers.get('host') ?? '').split(',')[0]?.trim() ?? '';
}
