import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** A file that breaks one rule each: rule -> [file, its text]. */
const VIOLATIONS = {
  'no-cycles': ['lib/kernel/circle.ts', "import './circling.ts';"],
  resolvable: ['lib/kernel/lost.ts', "import './nowhere.ts';"],
  'only-listed-modules': ['lib/novelty/index.ts', "import '#lib/kernel/index.ts';"],
  'kernel-may-import': ['lib/kernel/upwards.ts', "import '#lib/supervisor/index.ts';"],
  'supervisor-may-import': ['lib/supervisor/sideways.ts', "import type { Page } from '#lib/http/index.ts';"],
  'enter-by-the-door': ['lib/supervisor/inner.ts', "import { hidden } from '#lib/capabilities/hidden.ts';"],
  'outside-enters-by-the-door': ['app/inner.ts', "import { hidden } from '#lib/capabilities/hidden.ts';"],
  'domain-is-pure': ['lib/supervisor/domain/impure.ts', "import { readFileSync } from 'node:fs';"],
  'vendors-live-in-adapters': ['lib/supervisor/vendor.ts', "import postgres from 'postgres';"],
  'durable-engine-stays-in-its-adapter': ['lib/supervisor/adapters/engine.ts', "import { DBOS } from '@dbos-inc/dbos-sdk';"],
  'adapters-are-chosen-in-composition': ['app/chosen.ts', "import '#lib/supervisor/adapters/engine.ts';"],
  'db-is-reached-through-ports': ['lib/supervisor/rows.ts', "import type { Row } from '#db/client.ts';"],
  'components-see-contracts': ['components/greedy.tsx', "import { run } from '#lib/supervisor/index.ts';"],
  'core-knows-no-ui': ['lib/supervisor/pretty.ts', "import '#components/greedy.tsx';"],
  'product-knows-no-tests': ['app/tested.ts', "import '#lib/testing/fixture.ts';"],
} satisfies Record<string, [string, string]>;

/** What the violations import. */
const SURROUNDINGS: Record<string, string> = {
  'lib/kernel/index.ts': 'export const one = 1;',
  'lib/kernel/circling.ts': "import './circle.ts';",
  'lib/supervisor/index.ts': "import { one } from '#lib/kernel/index.ts'; export const run = one;",
  'lib/capabilities/hidden.ts': 'export const hidden = 1;',
  'lib/http/index.ts': 'export interface Page { readonly url: string }',
  'lib/testing/fixture.ts': 'export const fixture = 1;',
  'db/client.ts': 'export interface Row { readonly id: string }',
};

interface Cruise {
  summary: { violations: { from: string; rule: { name: string } }[]; totalCruised: number };
}

describe('the dependency rules', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-rules-'));
  let found: string[] = [];

  beforeAll(() => {
    for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) cpSync(path.join(ROOT, name), path.join(folder, name));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    for (const [file, text] of [...Object.entries(SURROUNDINGS), ...Object.values(VIOLATIONS)]) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const cli = path.join(ROOT, 'node_modules', '.bin', 'depcruise');
    const run = spawnSync(process.execPath, [cli, '--output-type', 'json', 'app', 'components', 'db', 'lib'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 50_000_000,
    });
    const cruise: Cruise = JSON.parse(run.stdout);
    found = cruise.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from}`);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const [rule, [file]] of Object.entries(VIOLATIONS)) {
    verifies('P-01', `${rule} catches ${file}`, () => {
      expect(found).toContain(`${rule}: ${file}`);
    });
  }

  verifies('P-01', 'what keeps the rules is left alone', () => {
    expect(found.filter((violation) => violation.endsWith('lib/supervisor/index.ts'))).toEqual([]);
  });
});
