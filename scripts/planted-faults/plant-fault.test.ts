import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Guard } from './guard.ts';
import { GUARDS } from './list.ts';
import { plantFault } from './plant-fault.ts';
import { requirePassing } from './require-passing.ts';
import { copyWorkTree, type WorkingCopy } from './working-copy.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const TIME_LIMIT_MS = 60_000;

let copy: WorkingCopy;
beforeAll(() => {
  copy = copyWorkTree(ROOT);
}, TIME_LIMIT_MS);
afterAll(() => copy.remove());

function guard(change: Partial<Guard>): Guard {
  const [first] = GUARDS.filter(({ id }) => id === 'state-table');
  if (!first) throw new Error('the guard is not on the list');
  return { ...first, ...change };
}

describe('plantFault', () => {
  it(
    'sees a removed guard noticed, and puts it back',
    () => {
      const { file } = guard({});
      expect(plantFault(copy.root, guard({}))).toEqual({ status: 'noticed', by: expect.stringContaining('refuses every other move') });
      expect(readFileSync(path.join(copy.root, file), 'utf8')).toBe(readFileSync(path.join(ROOT, file), 'utf8'));
    },
    TIME_LIMIT_MS,
  );

  it(
    'tells a guard that no test misses, a part of a title that no test has, and a file that no longer loads',
    () => {
      for (const [change, problem] of [
        [{ tests: ['lib/kernel/json.test.ts'] }, 'no test of lib/kernel/json.test.ts noticed'],
        [{ only: 'no test is called this' }, 'no test of lib/kernel/transitions.test.ts noticed'],
        [{ replace: '}' }, 'the file no longer loads, so nothing was tested'],
        [{ find: 'nowhere' }, 'the text to find stands 0 times in lib/kernel/transitions.ts'],
      ] as const) {
        expect(plantFault(copy.root, guard(change))).toEqual({ status: 'missed', problem });
      }
    },
    TIME_LIMIT_MS,
  );
});

describe('requirePassing', () => {
  it(
    'refuses tests that fail anyway, and titles that no test has',
    () => {
      requirePassing(copy.root, [guard({})]);
      expect(() => requirePassing(copy.root, [guard({ only: 'no test is called this' })])).toThrow('there is no test in');
    },
    TIME_LIMIT_MS,
  );
});
