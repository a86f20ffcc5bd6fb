/**
 * Text that Postgres can hold: U+0000 and lone surrogates become U+FFFD. Backslash sequences that merely spell a NUL stay
 * as they are (known fault K23). The one place where text is made storable.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** The same for every string in a JSON value, keys included. Dates and undefined are treated as JSON.stringify would. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(storableJson);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storableJson(item)]));
}
