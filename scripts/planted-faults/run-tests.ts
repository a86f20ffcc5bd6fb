import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readVitestCounts, type TestCounts } from '../test/test-counts.ts';

/** Runs test files in a copy of the repository and counts how they ended. */
export function runTests(root: string, files: readonly string[]): TestCounts {
  const report = path.join(root, 'planted-fault-report.json');
  rmSync(report, { force: true });
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const run = spawnSync(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`, ...files], {
    cwd: root,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (!existsSync(report)) throw new Error(`vitest ended without a report:\n${run.stderr.slice(-2_000)}`);
  return readVitestCounts(readFileSync(report, 'utf8'));
}
