/** The languages the interface speaks. The first is what a reader gets whose own is not among them. */
export const LOCALES = ['en', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en';

/** Where a browser keeps the reader's language. A signed-in person's account is copied into it and so wins. */
export const LOCALE_COOKIE = 'bw-locale';
/** Where a browser keeps its time zone (IANA name), so that the server writes the same instants as the browser. */
export const TIME_ZONE_COOKIE = 'bw-time-zone';

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && (LOCALES as readonly string[]).includes(value);
}

/** The language for a request: the cookie, else the best of `Accept-Language`, else English. */
export function chooseLocale(wish: { cookie?: string | undefined; acceptLanguage?: string | null | undefined }): Locale {
  if (isLocale(wish.cookie)) return wish.cookie;
  for (const tag of tagsByPreference(wish.acceptLanguage ?? '')) {
    if (/^zh\b/i.test(tag)) return 'zh-CN';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return DEFAULT_LOCALE;
}

/** The time zone a browser claims, if it is one that `Intl` knows. */
export function chooseTimeZone(claimed: string | undefined): string {
  if (claimed === undefined) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: claimed }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

function tagsByPreference(acceptLanguage: string): string[] {
  return acceptLanguage
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((text) => text !== undefined);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
