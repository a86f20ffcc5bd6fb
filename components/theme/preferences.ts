import { LOCALE_COOKIE, type Locale, TIME_ZONE_COOKIE } from '#lib/i18n/index.ts';
import { THEME_COOKIE, type Theme } from './theme.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** Keeps the theme and shows it at once. */
export function applyTheme(theme: Theme): void {
  writeCookie(THEME_COOKIE, theme);
  document.documentElement.dataset['theme'] = theme;
}

/** Keeps the language for the next pages of this browser; the caller renders anew. */
export function keepLocale(locale: Locale): void {
  writeCookie(LOCALE_COOKIE, locale);
}

export function keepTimeZone(timeZone: string): void {
  writeCookie(TIME_ZONE_COOKIE, timeZone);
}

/** Marks a time zone that a person has chosen, so that the device's own does not take its place. */
const CHOSEN_COOKIE = 'bw-time-zone-chosen';

/** Shows times in this zone from the next page on; null: in that of the device. */
export function chooseTimeZone(timeZone: string | null): void {
  writeCookie(CHOSEN_COOKIE, timeZone === null ? '0' : '1');
  keepTimeZone(timeZone ?? deviceTimeZone());
}

export function isTimeZoneChosen(): boolean {
  return document.cookie.includes(`${CHOSEN_COOKIE}=1`);
}

export function deviceTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function writeCookie(name: string, value: string): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing in Firefox and on plain HTTP
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
