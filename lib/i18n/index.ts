export { chooseLocale, chooseTimeZone, DEFAULT_LOCALE, isLocale, type Locale, LOCALE_COOKIE, LOCALES, TIME_ZONE_COOKIE } from './locale.ts';
