import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MESSAGE_AREAS } from './messages.ts';

/**
 * That a key which is asked for exists, the types prove; that a key which exists is asked for, this proves. A file uses a
 * message when it opens a namespace above it and contains the rest of its key as a string, or as a template that fits.
 */
type Tree = { [key: string]: string | Tree };

const files = globSync('{app,components,lib}/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(file, 'utf8'));
const uses = files
  .map((text) => ({
    namespaces: [...text.matchAll(/(?:use|get)Translations\('([\w.]+)'\)/g)].map((match) => match[1] ?? ''),
    strings: new Set([...text.matchAll(/'([\w.-]+)'|\b(\w+):/g)].map((match) => match[1] ?? match[2] ?? '')),
    /** Namespaces whose translator is asked for a key that only the program knows. */
    dynamic: namesOf(text)
      .filter(({ name }) => new RegExp(String.raw`\b${name}(?:\.rich)?\((?!['"\`])`).test(text))
      .map(({ namespace }) => namespace),
    templates: [...text.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].map((match) => toPattern(match[1] ?? '')),
  }))
  .filter(({ namespaces }) => namespaces.length > 0);

it('has no message that nothing says', () => {
  const unused = MESSAGE_AREAS.flatMap((area) =>
    keysOf(JSON.parse(readFileSync(new URL(`./messages/en/${area}.json`, import.meta.url), 'utf8')), area),
  ).filter((key) => !isUsed(key));
  expect(unused).toEqual([]);
});

function isUsed(key: string): boolean {
  return uses.some(({ namespaces, strings, templates, dynamic }) =>
    namespaces.some((namespace) => {
      if (!key.startsWith(`${namespace}.`)) return false;
      const rest = key.slice(namespace.length + 1);
      return strings.has(rest) || (dynamic.includes(namespace) && !rest.includes('.')) || templates.some((pattern) => pattern.test(rest));
    }),
  );
}

function keysOf(tree: Tree, prefix: string): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${prefix}.${key}`] : keysOf(value, `${prefix}.${key}`),
  );
}

/** The variables that hold a translator; those made together in one `Promise.all` may be any of its names. */
function namesOf(text: string): { name: string; namespace: string }[] {
  return [...text.matchAll(/const (?:(\w+)|\[([^\]]*)\]) =[^;]*?;/g)].flatMap(([statement, one, several]) => {
    const names = one ? [one] : (several ?? '').split(',').map((name) => name.trim());
    const namespaces = [...statement.matchAll(/(?:use|get)Translations\('([\w.]+)'\)/g)].map((match) => match[1] ?? '');
    return names.filter((name) => /^\w+$/.test(name)).flatMap((name) => namespaces.map((namespace) => ({ name, namespace })));
  });
}

/** A template as the keys it may become: each of its values is one part of a key. */
function toPattern(template: string): RegExp {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[\\w-]+')}$`);
}
