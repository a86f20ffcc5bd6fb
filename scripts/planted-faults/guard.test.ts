import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeGuard } from './guard.ts';
import { GUARDS } from './list.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const guard = { id: 'x', guards: 'x', file: 'x.ts', find: 'check();', replace: '', tests: [] };

describe('removeGuard', () => {
  it('takes the check out', () => {
    expect(removeGuard(guard, 'a(); check(); b();')).toBe('a();  b();');
  });

  it('puts the replacement in as it is', () => {
    expect(removeGuard({ ...guard, replace: '$& $1' }, 'check();')).toBe('$& $1');
  });

  it('refuses a check that is not there, or there twice', () => {
    expect(() => removeGuard(guard, 'a();')).toThrow('stands 0 times');
    expect(() => removeGuard(guard, 'check(); check();')).toThrow('stands 2 times');
  });
});

describe('the list of guards', () => {
  it('gives each an id of its own', () => {
    expect(new Set(GUARDS.map(({ id }) => id)).size).toBe(GUARDS.length);
  });

  it.each(GUARDS)('still finds $id in $file', (entry) => {
    expect(removeGuard(entry, readFileSync(path.join(ROOT, entry.file), 'utf8'))).not.toContain(entry.find);
    expect(entry.tests.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});
