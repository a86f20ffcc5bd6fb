/** A path of ours out of an address that anybody may have written; the start page for everything else. */
export function ownPath(address: string | string[] | undefined): string {
  const base = 'http://own.invalid';
  if (typeof address !== 'string' || !address.startsWith('/')) return '/';
  const url = URL.parse(address, base);
  // `//host` and `/\host` lead elsewhere, as do control characters that browsers drop.
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/';
}
