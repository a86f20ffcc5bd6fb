export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Files that broke before any of their tests could run. */
  readonly brokenFiles: number;
}

/** The counts in a report of vitest's JSON reporter. */
export function readVitestCounts(report: string): TestCounts {
  const { numPassedTests, numFailedTests, testResults }: VitestReport = JSON.parse(report);
  const broken = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((assertion) => assertion.status !== 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests, brokenFiles: broken.length };
}

/** The counts in a report of Playwright's JSON reporter. A test that passed only when tried again has failed. */
export function readPlaywrightCounts(report: string): TestCounts {
  const { stats, errors }: PlaywrightReport = JSON.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, brokenFiles: errors.length };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly unknown[];
}
