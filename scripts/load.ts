// `npm run load`: many sessions that stream at once and what that costs, and many starts against a small budget. See scripts/bench/README.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runLoad } from './bench/run-load.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '50,200,500' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '1000' },
    'quiet-load': { type: 'string', default: '0.4' },
    patience: { type: 'string', default: '45' },
    json: { type: 'string' },
  },
});

const root = path.dirname(import.meta.dirname);
const folder = path.join(root, '.tmp');
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(path.join(folder, 'load-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.on('exit', (code) => {
  if (code === 0) rmSync(scratch, { recursive: true, force: true });
  else console.error(`The servers' logs stand in ${path.relative(process.cwd(), scratch)}`);
});
const result = await runLoad({
  root,
  folder: scratch,
  sessions: values.sessions.split(',').map(Number),
  rounds: Number(values.rounds),
  starts: Number(values.starts),
  quietLoad: Number(values['quiet-load']),
  patienceMs: Number(values.patience) * 1000,
});
const file = path.resolve(values.json ?? path.join(folder, `load-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`));
writeFileSync(file, JSON.stringify(result, null, 1));
console.log(`\nWritten to ${path.relative(process.cwd(), file)}`);
const isWithinBudget = result.overspend === null || result.overspend.overspent === 0;
if (!isWithinBudget) console.error('More was spent than the budget allowed.');
process.exit(isWithinBudget ? 0 : 1);
