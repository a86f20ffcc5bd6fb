import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readVitestCounts, type TestCounts } from '../test/test-counts.ts';

export interface TestSelection {
  /** Files, as vitest takes them. */
  readonly files: readonly string[];
  /** A part of the titles, as a regular expression. */
  readonly only?: string | undefined;
  /** Whether the first failure is enough. */
  readonly untilFirstFailure?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

export interface TestOutcome extends TestCounts {
  /** The title of the first test that failed. */
  readonly firstFailure: string | null;
}

/** A planted fault may make a test wait for what never comes. Unit tests have a limit that is shorter. */
const INTEGRATION_TEST_LIMIT_MS = 12_000;

/** Runs tests in a copy of the repository and tells how they ended. */
export function runTests(root: string, { files, only, untilFirstFailure, environment }: TestSelection): TestOutcome {
  const report = path.join(root, 'planted-fault-report.json');
  rmSync(report, { force: true });
  const isSlow = files.some((file) => file.includes('.integration.'));
  const run = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=json',
      `--outputFile=${report}`,
      ...(only ? [`--testNamePattern=${only}`] : []),
      ...(untilFirstFailure ? ['--bail=1'] : []),
      ...(untilFirstFailure && isSlow ? [`--testTimeout=${INTEGRATION_TEST_LIMIT_MS}`] : []),
      ...files,
    ],
    { cwd: root, encoding: 'utf8', timeout: 300_000, env: environment ?? process.env },
  );
  if (!existsSync(report)) throw new Error(`vitest ended without a report:\n${run.stderr.slice(-2_000)}`);
  const text = readFileSync(report, 'utf8');
  return { ...readVitestCounts(text), firstFailure: findFirstFailure(text) };
}

function findFirstFailure(report: string): string | null {
  const { testResults }: VitestReport = JSON.parse(report);
  const failed = testResults.flatMap((file) => file.assertionResults).find((assertion) => assertion.status === 'failed');
  if (!failed) return null;
  const hasWaited = failed.failureMessages.some((message) => message.includes('Test timed out'));
  // A test that only waits in vain says less than one that looks and sees.
  return hasWaited ? `${failed.title} (it waited in vain)` : failed.title;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string; readonly failureMessages: readonly string[] }[];
  }[];
}
