import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { endOf, endOwned, spawnOwned } from '../owned-process.ts';
import type { TestCounts } from './test-counts.ts';

/** One part of `npm test`. */
export interface Step {
  readonly title: string;
  /** A Node program and its arguments; several run one after the other. */
  readonly commands: readonly (readonly string[])[];
  readonly limitMs: number;
  /** How the tests of this step are counted; without it the step is one check. */
  readonly counts?: ReportCounts | { readonly closingLine: true };
  readonly env?: NodeJS.Dict<string>;
}

interface ReportCounts {
  readonly report: string;
  readonly read: (report: string) => TestCounts;
}

export interface StepResult {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
}

/** Runs a step to its end. A program that breaks, or takes longer than it may, counts as one failure. */
export async function runStep(root: string, step: Step, env: NodeJS.Dict<string>): Promise<StepResult> {
  const started = performance.now();
  const report = step.counts && 'report' in step.counts ? step.counts : null;
  if (report) rmSync(report.report, { force: true });
  let output = '';
  let isSound = true;
  for (const command of step.commands) {
    const outcome = await runProgram(root, command, { ...env, ...step.env }, started + step.limitMs - performance.now());
    output += outcome.output;
    isSound &&= outcome.code === 0;
    if (!isSound) break;
  }
  const { passed, failed } = count(step, output, isSound);
  return { title: step.title, passed, failed, seconds: (performance.now() - started) / 1000 };
}

function count(step: Step, output: string, isSound: boolean): { passed: number; failed: number } {
  const asOneCheck = isSound ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (!step.counts) return asOneCheck;
  let counted: { passed: number; failed: number };
  if ('report' in step.counts) {
    if (!existsSync(step.counts.report)) return asOneCheck;
    const { passed, failed, brokenFiles } = step.counts.read(readFileSync(step.counts.report, 'utf8'));
    counted = { passed, failed: failed + brokenFiles };
  } else {
    const [, passed, failed] = output.trimEnd().match(/(\d+) passed, (\d+) failed$/) ?? [];
    if (!passed || !failed) return asOneCheck;
    counted = { passed: Number(passed), failed: Number(failed) };
  }
  // It says that all is well, and yet it ended in failure: tests that were never run, an error between them, a crash.
  return !isSound && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

async function runProgram(
  root: string,
  [program = '', ...args]: readonly string[],
  env: NodeJS.Dict<string>,
  limitMs: number,
): Promise<{ code: number; output: string }> {
  const child = spawnOwned([path.join(root, program), ...args], { cwd: root, env, output: 'pipe', graceMs: 0 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
  }
  const timer = setTimeout(() => {
    console.log(`✗ longer than ${Math.round(limitMs / 1000)} s: stopped`);
    void endOwned(child, 5_000);
  }, limitMs);
  const code = await endOf(child);
  clearTimeout(timer);
  return { code, output };
}
