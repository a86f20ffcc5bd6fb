import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareClaims, readClaims } from './claims.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

describe('the requirements', () => {
  it('are all there', () => {
    const counts = Object.groupBy(Object.keys(REQUIREMENTS), (id) => id.charAt(0));
    expect(Object.fromEntries(Object.entries(counts).map(([letter, ids]) => [letter, ids?.length]))).toEqual({
      P: 28,
      H: 36,
      F: 17,
      T: 25,
    });
    expect(Object.keys(KNOWN_FAULTS)).toHaveLength(32);
  });

  it('and the tests say the same of each other', () => {
    const files = globSync('{app,components,db,e2e,lib,scripts}/**/*.{test,spec}.{ts,tsx}', { cwd: ROOT });
    expect(files.length).toBeGreaterThan(5);
    const claims = files
      .filter((file) => !file.startsWith('e2e/coverage'))
      .flatMap((file) => readClaims(file, readFileSync(path.join(ROOT, file), 'utf8')));
    expect(compareClaims({ ...REQUIREMENTS, ...KNOWN_FAULTS }, claims)).toEqual([]);
  });
});

describe('readClaims', () => {
  it('reads one id, and several', () => {
    expect(readClaims('a.test.ts', `verifies('P-01', 'a', f); verifies(['P-02',\n "K4"], 'b', f);`).map(({ id }) => id)).toEqual([
      'P-01',
      'P-02',
      'K4',
    ]);
  });

  it('refuses an id that is not written out', () => {
    expect(() => readClaims('a.test.ts', 'verifies(ID, "a", f)')).toThrow('must name its ids as literals');
  });
});

describe('compareClaims', () => {
  const list = { 'P-01': { status: 'proved' }, 'P-02': { status: 'planned' } } as const;

  it('finds nothing where both agree', () => {
    expect(compareClaims(list, [{ file: 'a', id: 'P-01' }])).toEqual([]);
  });

  it('finds a proved id without a test, a planned one with a test, and an id on no list', () => {
    expect(
      compareClaims(list, [
        { file: 'a', id: 'P-02' },
        { file: 'b', id: 'P-99' },
      ]),
    ).toEqual([
      'b proves P-99, which is on no list',
      'P-01 is listed as proved, and no test names it',
      'P-02 is listed as planned, and a proves it: mark it proved',
    ]);
  });
});
