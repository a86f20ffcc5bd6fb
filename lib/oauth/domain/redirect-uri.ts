/**
 * Whether a program may be sent its answers there: over TLS, or on the person's own machine (RFC 8252 sections 7.1 and 7.3: a
 * loopback address, or a scheme of the program's own, which has a dot in it). Never with a fragment.
 */
export function isUsableRedirect(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || text.includes('#') || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return isLoopback(url);
  return /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:$/.test(url.protocol);
}

/** Exactly one that was registered; of a loopback address the port may differ, since it is chosen when the program starts. */
export function matchesRedirect(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const place = withoutPort(asked);
  return place !== null && registered.some((one) => withoutPort(one) === place);
}

/** null: it is not on the person's own machine. */
function withoutPort(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.protocol !== 'http:' || !isLoopback(url)) return null;
  url.port = '';
  return url.href;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}

/** The program's answer as an address: a code or an error, with what it asked to have back. */
export function redirectWith(redirectUri: string, answer: { readonly [name: string]: string | null }): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
