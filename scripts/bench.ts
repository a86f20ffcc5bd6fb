// `npm run bench`: what the product adds to a turn, beside bare loops, in one interleaved run on one machine. See
// scripts/bench/README.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runBench } from './bench/run-bench.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    turns: { type: 'string' },
    profile: { type: 'string' },
    statements: { type: 'boolean', default: false },
    'quiet-load': { type: 'string', default: '0.4' },
    patience: { type: 'string' },
    json: { type: 'string' },
  },
});

const root = path.dirname(import.meta.dirname);
const folder = path.join(root, '.tmp');
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(path.join(folder, 'bench-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.on('exit', (code) => {
  if (code === 0) rmSync(scratch, { recursive: true, force: true });
  else console.error(`The servers' logs stand in ${path.relative(process.cwd(), scratch)}`);
});
const result = await runBench({
  root,
  folder: scratch,
  isQuick: values.quick,
  only: values.only?.split(',') ?? null,
  rounds: values.rounds ? Number(values.rounds) : null,
  turns: values.turns ? Number(values.turns) : null,
  profileFile: values.profile ? path.resolve(values.profile) : null,
  showsStatements: values.statements,
  quietLoad: Number(values['quiet-load']),
  patienceMs: values.patience ? Number(values.patience) * 1000 : null,
});
const file = path.resolve(values.json ?? path.join(folder, `bench-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`));
writeFileSync(file, JSON.stringify(result, null, 1));
console.log(`\nWritten to ${path.relative(process.cwd(), file)}`);
process.exit();
