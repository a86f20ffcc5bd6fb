// `npm run crash -- --points N [--seed S] [--only NUMBER] [--match KIND] [--lanes N]`: kills real processes at random and named moments,
// counts side effects in a process of its own and expects 0 lost and 0 doubled, point by point.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEffectsProcess } from './crash/effects-process.ts';
import { type PointResult, runPoint } from './crash/run-point.ts';
import { type Scenario, scenarioOf } from './crash/scenarios.ts';
import { type ScratchCluster, startScratchCluster } from './crash/scratch-cluster.ts';
import { seedOfPoint } from './crash/seeded-chance.ts';
import { lineOf, summarise, tableOf } from './crash/summary.ts';
import { endOf, spawnOwned } from './owned-process.ts';
import { buildIfChanged } from './start/build.ts';
import { openDataDirectory } from './start/data-directory.ts';

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    match: { type: 'string', default: '' },
    lanes: { type: 'string', default: '3' },
  },
});
const seed = Number(values.seed);
const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, '.tmp', 'crash');

interface Point {
  readonly number: number;
  readonly seed: number;
  readonly scenario: Scenario;
}

const points = listPoints(Number(values.points), seed).filter(
  ({ number, scenario }) => (values.only === undefined || number === Number(values.only)) && new RegExp(values.match).test(scenario.kind),
);
if (points.length === 0) throw new Error('no points: --points takes a number from 1, --only one of theirs, --match a part of a kind');
await haveBuild(points);

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const scratch = mkdtempSync(path.join(tmpdir(), 'bailiwick-crash-'));
const effects = await startEffectsProcess(path.join(results, 'effects.jsonl'));
await fillCompileCache(path.join(scratch, 'compiled'));
const startedAtMs = Date.now();
console.log(describe(points));
try {
  await using clusters = new AsyncDisposableStack();
  // One after the other: the engine is prepared once a process at a time.
  const cluster = async (name: string) => {
    const started = await startScratchCluster(path.join(scratch, name));
    clusters.defer(() => started.stop());
    return started;
  };
  const [ordinary, ofDatabase] = [false, true].map((kills) => points.filter(({ scenario }) => scenario.killsDatabase === kills));
  const stages = [
    { queue: ordinary ?? [], lanes: Number(values.lanes), name: 'pg' },
    { queue: ofDatabase ?? [], lanes: 1, name: 'pg-killed' },
  ].filter(({ queue }) => queue.length > 0);
  const played: Promise<PointResult[]>[] = [];
  for (const { queue, lanes, name } of stages) played.push(playAll(queue, lanes, await cluster(name)));
  const judged = (await Promise.all(played)).flat();
  judged.sort((a, b) => a.number - b.number);
  const summary = summarise(judged);
  writeFileSync(
    path.join(results, 'results.json'),
    JSON.stringify({ seed, seconds: secondsSince(startedAtMs), summary, points: judged }, null, 2),
  );
  console.log(`\n${tableOf(summary)}\n`);
  console.log(`${secondsSince(startedAtMs)} s; every point in ${path.relative(root, results)}/results.json; seed ${seed}`);
  console.log(`${summary.passed} passed, ${summary.failed} failed`);
  process.exitCode = summary.failed === 0 ? 0 : 1;
} finally {
  await effects.stop();
  rmSync(scratch, { recursive: true, force: true });
}
process.exit();

/** Every point has a seed of its own. */
function listPoints(count: number, from: number): Point[] {
  return Array.from({ length: count }, (_, index) => ({ number: index + 1, seed: seedOfPoint(from, index), scenario: scenarioOf(index) }));
}

/** A build of older sources would be judged for what it no longer is. After `npm test` has built, this changes nothing. */
async function haveBuild(wanted: readonly Point[]): Promise<void> {
  if (wanted.every(({ scenario }) => scenario.server !== 'next')) return;
  if (await buildIfChanged(root, openDataDirectory(root))) console.log('Built the pages from these sources');
}

/** Loads the product once in a process that ends in peace: those that are killed never write what they have compiled. */
async function fillCompileCache(folder: string): Promise<void> {
  process.env.NODE_COMPILE_CACHE = folder;
  const load = ['--input-type=module', '--eval', "await import('./lib/composition/start-server.ts'); process.exit()"];
  await endOf(spawnOwned(load, { cwd: root, env: process.env, output: 'inherit', graceMs: 0 }));
}

function describe(wanted: readonly Point[]): string {
  const next = wanted.filter(({ scenario }) => scenario.server === 'next').length;
  return [
    `${wanted.length} crash points, seed ${seed}.`,
    `${next} of them on the product's own server (next start), the others on scripts/crash/worker.ts: the same application, started`,
    `by the same lib/composition/start-server.ts and serving the same route handlers, without Next's router.\n`,
  ].join('\n');
}

/** Plays points in order, several side by side. */
async function playAll(queue: readonly Point[], lanes: number, cluster: ScratchCluster): Promise<PointResult[]> {
  const left = [...queue];
  const judged: PointResult[] = [];
  const lane = async () => {
    for (let point = left.shift(); point; point = left.shift()) judged.push(await playOne(point, cluster));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return judged;
}

async function playOne(point: Point, cluster: ScratchCluster): Promise<PointResult> {
  const folder = path.join(results, `point-${point.number}`);
  const result = await runPoint({ ...point, cluster, effects, folder });
  console.log(lineOf(result));
  for (const { kind, where, what } of result.faults.slice(0, 8)) console.log(`      ${kind}: ${where}: ${what}`);
  if (result.faults.length > 0) console.log(`      evidence and logs: ${path.relative(root, folder)}`);
  return result;
}

function secondsSince(sinceMs: number): number {
  return Math.round((Date.now() - sinceMs) / 1000);
}
