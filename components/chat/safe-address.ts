const HARMLESS_SCHEMES = ['http:', 'https:', 'mailto:'];

/** The address of a link or picture in text that is not ours, or null when a click on it could do more than go there. */
export function safeHref(address: string | undefined): string | null {
  if (address === undefined) return null;
  // Browsers drop these characters before they read the scheme, so `java\nscript:` would pass a naive look.
  const cleaned = address.replaceAll(/[\u0000-\u0020\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g, '');
  if (cleaned === '') return null;
  if (cleaned.startsWith('#') || (cleaned.startsWith('/') && !cleaned.startsWith('//') && !cleaned.startsWith('/\\'))) return cleaned;
  if (!URL.canParse(cleaned)) return null;
  return HARMLESS_SCHEMES.includes(new URL(cleaned).protocol) ? cleaned : null;
}

/** Whether the address is within the page's own origin. */
export function isOwnAddress(address: string): boolean {
  if (address.startsWith('#') || address.startsWith('/')) return true;
  return typeof location !== 'undefined' && URL.canParse(address) && new URL(address).origin === location.origin;
}
