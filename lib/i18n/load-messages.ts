import type { Locale } from './locale.ts';
import { MESSAGE_AREAS, type MessageArea, type Messages } from './messages.ts';

/** All messages of a language. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const areas = await Promise.all(MESSAGE_AREAS.map(async (area) => [area, await loadArea(locale, area)] as const));
  return Object.fromEntries(areas) as unknown as Messages;
}

async function loadArea(locale: Locale, area: MessageArea): Promise<unknown> {
  const module = await import(`./messages/${locale}/${area}.json`, { with: { type: 'json' } });
  return module.default;
}
