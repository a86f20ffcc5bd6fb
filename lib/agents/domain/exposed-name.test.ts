import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposeNames } from './exposed-name.ts';

const namesOf = (ids: readonly string[]) => [...exposeNames(ids).nameOf.values()];

describe('exposeNames', () => {
  it('makes names that every provider takes, and numbers those that would meet', () => {
    expect(namesOf(['math.calculate', 'time-now', 'a b/c:d'])).toEqual(['math_calculate', 'time-now', 'a_b_c_d']);
    expect(namesOf(['a.b', 'a_b', 'a/b'])).toEqual(['a_b', 'a_b_2', 'a_b_3']);
    expect(namesOf(['a_b_2', 'a.b', 'a_b'])).toEqual(['a_b_2', 'a_b', 'a_b_3']);
    expect(namesOf(['', '工具', '器具'])).toEqual(['tool', '__', '___2']);
  });

  it('cuts at 64 characters, and numbers within them', () => {
    const long = 'x'.repeat(70);
    expect(namesOf([long, `${long}y`, `${long}z`])).toEqual(['x'.repeat(64), `${'x'.repeat(62)}_2`, `${'x'.repeat(62)}_3`]);
  });

  it('leads back from every name to its own id, whatever the ids are', () => {
    const id = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: fc.constantFrom('a', '.', '_', '2'), maxLength: 4 }),
      fc.string({ unit: fc.constantFrom('a', '.'), minLength: 60, maxLength: 70 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 40 }), (ids) => {
        const { nameOf, idOf } = exposeNames(ids);
        expect(new Set(nameOf.values()).size).toBe(ids.length);
        for (const each of ids) {
          expect(nameOf.get(each)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
          expect(idOf.get(nameOf.get(each) ?? '')).toBe(each);
        }
      }),
    );
  });
});
