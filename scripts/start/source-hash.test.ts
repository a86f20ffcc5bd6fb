import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSources } from './source-hash.ts';

let root = '';
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'bailiwick-hash-'));
  write('app/page.tsx', 'one');
  write('package-lock.json', '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('hashSources', () => {
  it.each([
    ['a changed page', () => write('app/page.tsx', 'two')],
    ['a new file', () => write('lib/kernel/clock.ts', 'one')],
    ['other packages', () => write('package-lock.json', '{ }')],
    ['a file that moved', () => (rmSync(path.join(root, 'app/page.tsx')), write('app/other.tsx', 'one'))],
  ])('changes with %s', (_, change) => {
    const before = hashSources(root);
    change();
    expect(hashSources(root)).not.toBe(before);
  });

  it.each([
    ['a test', () => write('app/page.test.tsx', 'one')],
    ['a migration', () => write('db/migrations/0001.sql', 'select 1')],
    ['a script', () => write('scripts/start.mjs', 'one')],
    ['a touched file', () => utimesSync(path.join(root, 'app/page.tsx'), 1, 1)],
  ])('stays with %s', (_, change) => {
    const before = hashSources(root);
    change();
    expect(hashSources(root)).toBe(before);
  });
});
