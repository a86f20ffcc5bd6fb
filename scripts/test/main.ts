// `npm test [--deep] [--only=words of titles]` under Node 24. Every step runs, whatever became of the one before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { provideChromium } from './chromium.ts';
import { provideOldPostgres } from './old-postgres.ts';
import { runStep, type StepResult } from './run-step.ts';
import { listSteps } from './steps.ts';

/** A developer's own settings must not decide what is tested. */
const OWN_SETTINGS = ['BAILIWICK_SECRET', 'DATA_DIR', 'DATABASE_URL', 'DEMO', 'HOST', 'NODE_ENV', 'PORT', 'PUBLIC_URL', 'ROLE'];

const root = path.resolve(import.meta.dirname, '..', '..');
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .toLowerCase();
const reports = mkdtempSync(path.join(tmpdir(), 'bailiwick-reports-'));
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.includes(name)));
const results: StepResult[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    rmSync(reports, { recursive: true, force: true });
    process.exit(130);
  });
}

const oldPostgres = provideOldPostgres();
const steps = listSteps({ root, reports, isDeep: process.argv.includes('--deep'), oldPostgres });
for (const step of steps.filter(({ title }) => !only || title.toLowerCase().includes(only))) {
  console.log(`\n── ${step.title}`);
  results.push(await runOrFail(step));
}
rmSync(reports, { recursive: true, force: true });

console.log('');
for (const { title, passed, failed, seconds } of results) {
  console.log(
    `${failed === 0 ? '✓' : '✗'} ${title.padEnd(40)} ${`${passed} passed, ${failed} failed`.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s`,
  );
}
if (!oldPostgres) console.log('- PostgreSQL 15 is not installed, and nothing was tested on it');
const total = (key: 'passed' | 'failed') => results.reduce((sum, result) => sum + result[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exit(total('failed') === 0 ? 0 : 1);

async function runOrFail(step: (typeof steps)[number]): Promise<StepResult> {
  const started = performance.now();
  try {
    if (step.title === 'End-to-end tests') provideChromium();
    return await runStep(root, step, env);
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
    return { title: step.title, passed: 0, failed: 1, seconds: (performance.now() - started) / 1000 };
  }
}
