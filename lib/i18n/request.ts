import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { loadMessages } from './load-messages.ts';
import { chooseLocale, chooseTimeZone, LOCALE_COOKIE, TIME_ZONE_COOKIE } from './locale.ts';

/** Language, messages, time zone and "now" of one request. next.config names this file to next-intl. */
export default getRequestConfig(async () => {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const locale = chooseLocale({ cookie: jar.get(LOCALE_COOKIE)?.value, acceptLanguage: head.get('accept-language') });
  return {
    locale,
    messages: await loadMessages(locale),
    timeZone: chooseTimeZone(jar.get(TIME_ZONE_COOKIE)?.value),
    now: new Date(),
  };
});
