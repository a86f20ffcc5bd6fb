// `npm run planted-faults [id ...]`: removes each guard in a copy of the repository and expects its tests to fail.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Guard, removeGuard } from './planted-faults/guard.ts';
import { GUARDS } from './planted-faults/list.ts';
import { runTests } from './planted-faults/run-tests.ts';
import { copyWorkTree } from './planted-faults/working-copy.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => GUARDS.every((guard) => guard.id !== id));
if (unknown.length > 0) throw new Error(`no such guard: ${unknown.join(', ')}`);
const guards = GUARDS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

const copy = copyWorkTree(path.resolve(import.meta.dirname, '..'));
let failed = 0;
try {
  // Tests that fail with every guard in place would prove all of them.
  const tests = [...new Set(guards.flatMap((guard) => guard.tests))];
  const whole = runTests(copy.root, tests);
  if (whole.failed + whole.brokenFiles > 0)
    throw new Error(`with every guard in place ${whole.failed} tests and ${whole.brokenFiles} files fail already`);
  for (const guard of guards) {
    const started = performance.now();
    const problem = plant(guard);
    if (problem) failed += 1;
    console.log(
      `${problem ? '✗' : '✓'} ${guard.id.padEnd(32)} ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${problem ?? guard.guards}`,
    );
  }
} finally {
  copy.remove();
}
console.log(`${guards.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Gives what is wrong, or null when a test noticed. */
function plant(guard: Guard): string | null {
  const file = path.join(copy.root, guard.file);
  const text = readFileSync(file, 'utf8');
  try {
    writeFileSync(file, removeGuard(guard, text));
    const { failed: noticed, brokenFiles } = runTests(copy.root, guard.tests);
    if (noticed > 0) return null;
    return brokenFiles > 0 ? 'the file no longer loads, so nothing was tested' : `no test of ${guard.tests.join(', ')} noticed`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    writeFileSync(file, text);
  }
}
