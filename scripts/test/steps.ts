import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Step } from './run-step.ts';
import { readPlaywrightCounts, readVitestCounts } from './test-counts.ts';

const MINUTE_MS = 60_000;
const CHECKED_BY_DEPENDENCY_RULES = [
  'app',
  'components',
  'db',
  'e2e',
  'lib',
  'scripts',
  'instrumentation.ts',
  'instrumentation-node.ts',
  'proxy.ts',
];
/** What an older Postgres could break: the migrations, the stores with their policies, and taking a run in. */
const ON_OLD_POSTGRES = ['db/', 'lib/durable/', 'lib/supervisor/', 'lib/testing/'];

/**
 * Everything that `npm test` runs, cheapest first.
 *
 * @param reports a folder for the reports of the test runners
 * @param oldPostgres whether Debian's Postgres 15 is there to test against
 */
export function listSteps(options: { root: string; reports: string; isDeep: boolean; oldPostgres: boolean }): Step[] {
  const exists = (file: string) => existsSync(path.join(options.root, file));
  const vitest = (title: string, name: string, args: string[], env: NodeJS.Dict<string> = {}, minutes = 8): Step => {
    const report = path.join(options.reports, `${name}.json`);
    return {
      title,
      commands: [[bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args]],
      limitMs: minutes * MINUTE_MS,
      counts: { report, read: readVitestCounts },
      env,
    };
  };
  const check = (title: string, ...commands: string[][]): Step => ({ title, commands, limitMs: 5 * MINUTE_MS });
  const selfCounting = (title: string, command: string[], minutes: number): Step => ({
    title,
    commands: [command],
    limitMs: minutes * MINUTE_MS,
    counts: { closingLine: true },
  });
  const endToEndReport = path.join(options.reports, 'e2e.json');

  return [
    check('Format', [bin('biome'), 'check']),
    check('Lint', [bin('oxlint'), '--type-aware']),
    check('Types', [bin('next'), 'typegen'], [bin('tsc'), '--noEmit']),
    check('Dependency rules', [bin('depcruise'), ...CHECKED_BY_DEPENDENCY_RULES.filter(exists)]),
    check('Unused code', [bin('knip')]),
    vitest('Unit tests', 'unit', ['--project', 'unit', '--project', 'components']),
    vitest(
      'Integration tests',
      'integration',
      ['--project', 'integration'],
      options.isDeep ? { KILL_IN_EVERY_STAGE: '1', COORDINATORS: '200' } : {},
    ),
    ...(options.oldPostgres
      ? [
          vitest('Integration tests on PostgreSQL 15', 'integration-15', ['--project', 'integration', ...ON_OLD_POSTGRES], {
            TEST_POSTGRES: '15',
          }),
        ]
      : []),
    check('Build', ['scripts/build.ts']),
    check('Interface budgets', ['scripts/interface-budgets.ts']),
    {
      title: 'End-to-end tests',
      commands: [[bin('playwright'), 'test']],
      limitMs: 25 * MINUTE_MS,
      counts: { report: endToEndReport, read: readPlaywrightCounts },
      env: { E2E_REPORT: endToEndReport, E2E_DATA_DIR: path.join(options.reports, 'e2e') },
    },
    ...(exists('scripts/crash.ts')
      ? [selfCounting('Crash points', ['scripts/crash.ts', '--points', options.isDeep ? '1000' : '25'], options.isDeep ? 180 : 8)]
      : []),
    ...(options.isDeep
      ? [
          vitest(
            'Random histories',
            'histories',
            ['--project', 'unit', 'lib/conversations/domain/compaction.test.ts'],
            { RANDOM_HISTORIES: '100000' },
            60,
          ),
          vitest(
            'Floods',
            'floods',
            ['--project', 'integration', 'lib/supervisor/floods.integration.test.ts'],
            { FLOOD_MEGABYTES: '100' },
            10,
          ),
          vitest(
            'Many passages',
            'passages',
            ['--project', 'integration', 'lib/knowledge/search-of-many.integration.test.ts'],
            { PASSAGES: '100000' },
            15,
          ),
        ]
      : []),
    ...(options.isDeep ? [selfCounting('Planted faults', ['scripts/planted-faults.ts'], 75)] : []),
  ];
}

function bin(name: string): string {
  return path.join('node_modules', '.bin', name);
}
