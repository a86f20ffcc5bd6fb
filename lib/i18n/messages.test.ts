import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LOCALES } from './locale.ts';
import { MESSAGE_AREAS } from './messages.ts';

const folder = new URL('./messages/', import.meta.url);

type Tree = { [key: string]: string | Tree };
const read = (locale: string, area: string): Tree => JSON.parse(readFileSync(new URL(`${locale}/${area}.json`, folder), 'utf8'));

/** Every message by its full key. */
function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

/** The names of the values a message is filled with: `{name}`, `{count, plural, ...}`, `<link>`. */
function placeholders(message: string): string[] {
  // The texts of plural branches stand in braces too: `other {# runs}`.
  const flat = message.replaceAll(/(=\d+|\b(?:zero|one|two|few|many|other))\s*\{/g, '$1(');
  const names = [...flat.matchAll(/\{\s*([a-zA-Z]\w*)\s*[,}]|<([a-z]\w*)>/g)].map((match) => match[1] ?? match[2] ?? '');
  return [...new Set(names)].sort();
}

describe.each(MESSAGE_AREAS)('messages of %s', (area) => {
  const english = flatten(read('en', area));
  const chinese = flatten(read('zh-CN', area));

  it('exist in both languages under the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });
  it('are filled with the same values', () => {
    for (const [key, message] of english)
      expect({ key, names: placeholders(chinese.get(key) ?? '') }).toEqual({ key, names: placeholders(message) });
  });
  it('are never empty', () => {
    for (const [key, message] of [...english, ...chinese]) expect({ key, isEmpty: message.trim() === '' }).toEqual({ key, isEmpty: false });
  });
  it('have Chinese text where the Chinese reader looks', () => {
    const untranslated = [...chinese].filter(
      ([key, message]) => message === english.get(key) && /[a-z]{4,}/i.test(message.replaceAll(/\{[^}]*\}|<[^>]*>|Bailiwick|JSON/g, '')),
    );
    expect(untranslated.map(([key]) => key)).toEqual([]);
  });
});

it('have no file that is on no list', () => {
  for (const locale of LOCALES) {
    expect(readdirSync(new URL(`${locale}/`, folder)).sort()).toEqual(MESSAGE_AREAS.map((area) => `${area}.json`).sort());
  }
});
