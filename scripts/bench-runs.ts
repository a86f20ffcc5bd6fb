// `npm run bench:runs`: how long the runs list and its counts take in a tenant with 100,000 runs beside one of 20,000, by
// filter, and with `--explain` how Postgres goes about it. See scripts/bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openSql } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { createRunReader } from '#db/stores/run-reader.ts';
import { fromUuid } from '#lib/kernel/index.ts';
import type { RunListQuery } from '#lib/supervisor/index.ts';
import { markdownTable } from './bench/report.ts';
import { prepareSeeding, seedRuns } from './bench/seed-runs.ts';
import { startEmbeddedPostgres } from './embedded-postgres/index.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
    explain: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const day = 86_400_000;
const since = (days: number) => new Date(Date.now() - days * day).toISOString();

const QUERIES: Readonly<Record<string, Omit<RunListQuery, 'limit'>>> = {
  'no filter': {},
  'status: timed out (1 in 331)': { state: 'TIMEOUT' },
  'status: four of them': { state: ['FINISH_ERROR', 'TIMEOUT', 'CANCELLED', 'RUNNING'] },
  'preset and model': { preset: 'analyst', path: 'llm' },
  'tool (1 in 401)': { capability: 'weather.get' },
  'tool (all)': { capability: 'time.now' },
  'a day 60 days ago': { from: since(60), to: since(59) },
  'cost at least 0.19, which few have': { minCost: 0.19 },
  'cost more than any has': { minCost: 5 },
  'duration at least 20 s': { minMs: 20_000 },
  'longer than any took': { minMs: 600_000 },
  'words that all have': { q: 'look number' },
  'two words, the second begun': { q: 'canteen libr' },
  'a word of one run': { q: '4711' },
  'a word nobody said': { q: 'quokka' },
  'Chinese words': { q: '奖学金食堂' },
  'all at once': {
    state: ['FINISH_OK'],
    preset: 'default',
    path: 'llm',
    capability: 'echo',
    q: 'exam',
    minMs: 100,
    minCost: 0.001,
    from: since(80),
  },
};

const directory = mkdtempSync(path.join(tmpdir(), 'bailiwick-runs-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const server = await startEmbeddedPostgres({ directory, database: 'runs' });
await migrate({ databaseUrl: server.url });
const owner = openSql({ databaseUrl: server.url, role: 'owner', max: 1, name: 'seed' });
await prepareSeeding(owner);
const startedAt = performance.now();
await seedRuns(owner, { slug: 'beside', runs: Math.round(runs / 5) });
const { tenantId, userId } = await seedRuns(owner, { slug: 'large', runs });
await owner`vacuum analyze`;
console.log(`${runs} runs seeded in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);

const app = openSql({ databaseUrl: server.url, role: 'bailiwick_app', max: 2, name: 'reader' });
const reader = createRunReader(app);
const scope = { tenantId: fromUuid('tenant', tenantId), userId: fromUuid('user', userId) };
const rows: string[][] = [];
for (const [name, filters] of Object.entries(QUERIES)) {
  const query: RunListQuery = { ...filters, limit: 50 };
  const found = await reader.facets(scope, query, { ownOnly: false });
  const list = await times(() => reader.list(scope, query, { ownOnly: false }));
  const own = await times(() => reader.list(scope, query, { ownOnly: true }));
  const facets = await times(() => reader.facets(scope, query, { ownOnly: false }));
  rows.push([name, String(found.total), list, own, facets]);
}
console.log(markdownTable(['filter', 'runs found', 'list, ms', 'list of one person, ms', 'counts, ms'], rows));
if (values.explain) await explain();
await Promise.all([owner.end(), app.end()]);
await server.stop();

/** The median and the slowest of the rounds. */
async function times(work: () => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  taken.sort((a, b) => a - b);
  return `${(taken[Math.floor(taken.length / 2)] ?? 0).toFixed(1)} (${(taken.at(-1) ?? 0).toFixed(0)})`;
}

/** How the role of requests finds a rare word, a rare state and a cost that nobody paid: by index, under row-level security. */
async function explain(): Promise<void> {
  const conditions = {
    word: `r.id in (select w.run_id from run_word w where w.tenant_id = '${tenantId}' and w.token >= 'libr' and w.token < 'libr\u{10ffff}')`,
    state: `r.state = any('{TIMEOUT}'::text[])`,
    cost: 'r.cost_micros >= 5000000',
  };
  for (const [name, condition] of Object.entries(conditions)) {
    const plan = await app.begin(async (tx) => {
      await tx`select set_config('app.tenant_id', ${tenantId}, true)`;
      return tx.unsafe(
        `explain (analyze, buffers, costs off) select r.id from run r where r.tenant_id = '${tenantId}' and ${condition} order by r.id desc limit 51`,
      );
    });
    console.log(`\n${name}\n${plan.map((row) => String(row['QUERY PLAN'])).join('\n')}`);
  }
}
