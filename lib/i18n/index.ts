export { isLocale, LOCALE_COOKIE, LOCALES, type Locale, TIME_ZONE_COOKIE } from './locale.ts';
export { MESSAGE_AREAS, type MessageArea, type Messages, pickMessages } from './messages.ts';
