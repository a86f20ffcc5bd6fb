import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DOCUMENT_LANGUAGES, type DocumentLanguage, findTitle } from '#lib/knowledge/index.ts';

/** The documents of the demo tenant: a small campus handbook in both languages. */
export function readHandbook(): { title: string; language: DocumentLanguage; body: string }[] {
  return DOCUMENT_LANGUAGES.flatMap((language) => {
    const folder = fileURLToPath(new URL(`./handbook/${language}/`, import.meta.url));
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => {
        const body = readFileSync(`${folder}${name}`, 'utf8');
        return { title: findTitle(body) ?? name.replace('.md', ''), language, body };
      });
  });
}
