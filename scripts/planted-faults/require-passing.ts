import type { Guard } from './guard.ts';
import { runTests } from './run-tests.ts';

/**
 * Throws unless the guards' tests pass with every guard in place, since tests that fail anyway would prove all of them, and
 * where none of those named is there.
 */
export function requirePassing(root: string, guards: readonly Guard[]): void {
  const whole = filesOf(guards.filter(({ only }) => only === undefined));
  const inPart = guards.filter(({ only, tests }) => only !== undefined && tests.some((file) => !whole.includes(file)));
  requirePass(root, { files: whole });
  requirePass(root, { files: filesOf(inPart), only: inPart.map(({ only }) => `(${only})`).join('|') });
}

function requirePass(root: string, selection: { files: readonly string[]; only?: string }): void {
  if (selection.files.length === 0) return;
  const { passed, failed, brokenFiles, firstFailure } = runTests(root, selection);
  if (failed + brokenFiles > 0) {
    throw new Error(
      `with every guard in place ${failed} tests and ${brokenFiles} files fail already: ${firstFailure ?? 'a file does not load'}`,
    );
  }
  if (passed === 0) throw new Error(`there is no test in ${selection.files.join(', ')}`);
}

function filesOf(guards: readonly Guard[]): string[] {
  return [...new Set(guards.flatMap((guard) => guard.tests))];
}
