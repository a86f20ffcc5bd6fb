import type { Locale } from './run.ts';

/** The language to answer in: the message's own where its letters tell, else that of the interface. */
export function languageOf(text: string, interfaceLocale: Locale): Locale {
  if (/\p{Script=Han}/u.test(text)) return 'zh-CN';
  if (/\p{Script=Latin}{2,}/u.test(text)) return 'en';
  return interfaceLocale;
}
