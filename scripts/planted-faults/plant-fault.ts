import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Guard, removeGuard } from './guard.ts';
import { runTests } from './run-tests.ts';

export type Planting =
  /** `by`: the title of the test. */
  { readonly status: 'noticed'; readonly by: string } | { readonly status: 'missed'; readonly problem: string };

/** Takes a guard out of a copy of the repository, runs its tests, and puts it back. */
export function plantFault(root: string, guard: Guard): Planting {
  const file = path.join(root, guard.file);
  const text = readFileSync(file, 'utf8');
  try {
    writeFileSync(file, removeGuard(guard, text));
    const { firstFailure, brokenFiles } = runTests(root, {
      files: guard.tests,
      only: guard.only,
      untilFirstFailure: true,
      environment: environmentFor(guard),
    });
    if (firstFailure !== null) return { status: 'noticed', by: firstFailure };
    const problem = brokenFiles > 0 ? 'the file no longer loads, so nothing was tested' : `no test of ${guard.tests.join(', ')} noticed`;
    return { status: 'missed', problem };
  } catch (error) {
    return { status: 'missed', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    writeFileSync(file, text);
  }
}

/** A fault in a migration shows only in a database that was migrated with it. */
function environmentFor(guard: Guard): NodeJS.ProcessEnv {
  if (!guard.file.startsWith('db/migrat')) return process.env;
  const { TEST_DATABASE_URL: _shared, ...environment } = process.env;
  return environment;
}
