import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

describe('.env.example', () => {
  it('explains every setting', () => {
    const settings = namesIn(read('lib/config/index.ts'), /^ {2}([A-Z][A-Z_]+): /gm);
    expect(settings.length).toBeGreaterThan(15);
    expect(namesIn(read('.env.example'), /^#([A-Z][A-Z_]+)=/gm)).toEqual(expect.arrayContaining(settings));
  });
});
