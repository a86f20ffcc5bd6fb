// `npm run planted-faults [id ...]`: removes each guard in a copy of the repository and expects its tests to fail.
import path from 'node:path';
import { GUARDS } from './planted-faults/list.ts';
import { plantFault } from './planted-faults/plant-fault.ts';
import { requirePassing } from './planted-faults/require-passing.ts';
import { copyWorkTree } from './planted-faults/working-copy.ts';
import startDatabase from './test/integration-database.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => GUARDS.every((guard) => guard.id !== id));
if (unknown.length > 0) throw new Error(`no such guard: ${unknown.join(', ')}`);
const guards = GUARDS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1).padStart(5)} s`;
const startedAt = performance.now();
const copy = copyWorkTree(path.resolve(import.meta.dirname, '..'));
// One server for all: most of a run of integration tests would be spent on starting theirs.
const stopDatabase = guards.some(({ tests }) => tests.some((file) => file.includes('.integration.'))) ? await startDatabase() : null;
let failed = 0;
try {
  requirePassing(copy.root, guards);
  console.log(`✓ ${'with every guard in place'.padEnd(30)} ${seconds(startedAt)}  all their tests pass`);
  for (const guard of guards) {
    const plantedAt = performance.now();
    const planting = plantFault(copy.root, guard);
    if (planting.status === 'missed') failed += 1;
    const line = planting.status === 'noticed' ? `✓ ${guard.id.padEnd(30)}` : `✗ ${guard.id.padEnd(30)}`;
    console.log(`${line} ${seconds(plantedAt)}  ${planting.status === 'noticed' ? `noticed by: ${planting.by}` : planting.problem}`);
  }
} finally {
  await stopDatabase?.();
  copy.remove();
}
console.log(`${guards.length} guards in ${seconds(startedAt).trim()}`);
console.log(`${guards.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
