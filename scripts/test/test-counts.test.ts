import { describe, expect, it } from 'vitest';
import { readPlaywrightCounts, readVitestCounts } from './test-counts.ts';

describe('readVitestCounts', () => {
  it('counts tests, and the files that broke before their tests', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
        { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
        { status: 'failed', assertionResults: [] },
      ],
    };
    expect(readVitestCounts(JSON.stringify(report))).toEqual({ passed: 3, failed: 1, brokenFiles: 1 });
  });
});

describe('readPlaywrightCounts', () => {
  it('counts a test that passed only the second time as failed', () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] };
    expect(readPlaywrightCounts(JSON.stringify(report))).toEqual({ passed: 5, failed: 2, brokenFiles: 0 });
  });
});
