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

/** More of what parts may not know of each other: rule, file, its text. */
const OF_THE_HARNESS = [
  // Models are reached by our port: the SDK stays behind it, also from the module's own files and from those who ask models.
  ['H-01', 'vendors-live-in-adapters', 'lib/models/sdk.ts', "import type { LanguageModelV4 } from '@ai-sdk/provider';"],
  ['H-01', 'vendors-live-in-adapters', 'lib/agents/sdk.ts', "import { createOpenAI } from '@ai-sdk/openai';"],
  ['H-01', 'agents-may-import', 'lib/agents/out.ts', "import { run } from '#lib/supervisor/index.ts';"],
  // Tools run through the invoker alone, conversations know no tools, and the model's side knows neither.
  ['H-02', 'enter-by-the-door', 'lib/agents/handler.ts', "import { hidden } from '#lib/capabilities/hidden.ts';"],
  ['H-02', 'conversations-may-import', 'lib/conversations/tools.ts', "import { tool } from '#lib/capabilities/index.ts';"],
  ['H-02', 'capabilities-may-import', 'lib/capabilities/models.ts', "import { model } from '#lib/models/index.ts';"],
  ['H-02', 'models-may-import', 'lib/models/chats.ts', "import { chat } from '#lib/conversations/index.ts';"],
] as const;

/** What the violations import. */
const SURROUNDINGS: Record<string, string> = {
  'lib/kernel/index.ts': 'export const one = 1;',
  'lib/kernel/circling.ts': "import './circle.ts';",
  'lib/supervisor/index.ts': "import { one } from '#lib/kernel/index.ts'; export const run = one;",
  'lib/capabilities/hidden.ts': 'export const hidden = 1;',
  'lib/capabilities/index.ts': 'export const tool = 1;',
  'lib/models/index.ts': 'export const model = 1;',
  'lib/conversations/index.ts': 'export const chat = 1;',
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
    const planted = OF_THE_HARNESS.map(([, , file, text]) => [file, text] as const);
    for (const [file, text] of [...Object.entries(SURROUNDINGS), ...Object.values(VIOLATIONS), ...planted]) {
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

  verifies('H-01', 'keep vendors of models behind the port', () => {
    expect(found).toEqual(expect.arrayContaining(expectedOf('H-01')));
  });

  verifies('H-02', 'keep conversations, tools and models apart but for their doors', () => {
    expect(found).toEqual(expect.arrayContaining(expectedOf('H-02')));
  });

  verifies('P-01', 'what keeps the rules is left alone', () => {
    expect(found.filter((violation) => violation.endsWith('lib/supervisor/index.ts'))).toEqual([]);
  });
});

function expectedOf(requirement: 'H-01' | 'H-02'): string[] {
  return OF_THE_HARNESS.filter(([id]) => id === requirement).map(([, rule, file]) => `${rule}: ${file}`);
}
