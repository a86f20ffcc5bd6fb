import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUDIT_EVENT_TYPES } from '#lib/audit/domain/audit-event.ts';
import { BUILT_IN_METADATA } from '#lib/capabilities/index.ts';
import { ERROR_STATUS } from '#lib/http/error-status.ts';
import { RUN_EVENT_TYPES } from '#lib/supervisor/contract.ts';
import { BUILT_IN_ROLE_PERMISSIONS, BUILT_IN_ROLES, PERMISSIONS } from '#lib/tenancy/index.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The cells of every table row below a heading, up to the next heading of its level or above; head and rule left out. */
function rowsUnder(file: string, heading: string): string[][] {
  const level = heading.indexOf(' ');
  const [, after = ''] = read(file).split(`\n${heading}\n`);
  const [section = ''] = after.split(new RegExp(`\\n#{1,${level}} `));
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([first = '']) => !/^:?-+:?$/.test(first))
    .slice(1);
}

const unquoted = (cell = '') => cell.replaceAll('`', '');

describe('docs/api.md', () => {
  it('has every error code with its status, and no other', () => {
    const listed = rowsUnder('docs/api.md', '## Errors').map(([code, status]) => [unquoted(code), Number(status)]);
    expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS);
    expect(listed).toHaveLength(Object.keys(ERROR_STATUS).length);
  });

  it('names every route', () => {
    const text = read('docs/api.md');
    const routes = globSync('app/api/**/route.ts', { cwd: root })
      .map(
        (file) =>
          `/${path
            .dirname(file)
            .replace(/^app\//, '')
            .replaceAll(/\[(\w+)\]/g, '{$1}')}`,
      )
      .filter((route) => !route.includes('...') && !isInternal(route));
    expect(routes.length).toBeGreaterThan(20);
    // Within a tenant the examples write $API, and the variable for an id.
    expect(routes.filter((route) => !text.includes(route) && !exampleOf(route).test(text))).toEqual([]);
  });

  it('names every type of audit entry', () => {
    const text = read('docs/api.md');
    expect(AUDIT_EVENT_TYPES.filter((type) => !text.includes(`\`${type}\``))).toEqual([]);
  });
});

/** Where the pages' own requests are sent on to; nothing that a client calls. */
function isInternal(route: string): boolean {
  return route === '/api/address';
}

function exampleOf(route: string): RegExp {
  return new RegExp(`${route.replace('/api/t/{tenant}', '\\$API').replaceAll(/\{\w+\}/g, '\\$[A-Z]+')}(?![\\w/])`);
}

describe('docs/roles.md', () => {
  it('has the matrix of the code', () => {
    const written = rowsUnder('docs/roles.md', '## The matrix').map(([permission, ...cells]) => [
      unquoted(permission),
      cells.map((cell) => cell === '✓'),
    ]);
    const roles = BUILT_IN_ROLES.map((role) => new Set(BUILT_IN_ROLE_PERMISSIONS[role]));
    expect(written).toEqual(PERMISSIONS.map((permission) => [permission, roles.map((role) => role.has(permission))]));
  });
});

describe('docs/architecture.md', () => {
  it('lists the event types in the order of the code', () => {
    expect(rowsUnder('docs/architecture.md', '## Event types').map(([type]) => unquoted(type))).toEqual([...RUN_EVENT_TYPES]);
  });

  it('describes every module under lib/', () => {
    const modules = globSync('lib/*/', { cwd: root }).map((folder) => path.basename(folder));
    const described = rowsUnder('docs/architecture.md', '## Modules').map(([module]) => unquoted(module));
    expect(described.sort()).toEqual(modules.sort());
  });
});

describe('docs/capabilities.md', () => {
  it('lists the built-in capabilities as they are', () => {
    const written = rowsUnder('docs/capabilities.md', '## The built-in capabilities').map((row) => row.slice(0, 4).map(unquoted));
    expect(written).toEqual(BUILT_IN_METADATA.map(({ id, domain, sideEffect, idempotency }) => [id, domain, sideEffect, idempotency]));
  });
});

describe('docs/operating.md', () => {
  it('explains every setting that operators have', () => {
    const settings = [...read('.env.example').matchAll(/^#([A-Z][A-Z_0-9]+)=/gm)].map(([, name = '']) => name);
    const forTests = ['CHROMIUM_PATH', 'TEST_POSTGRES', 'TEST_EFFECTS_URL', 'FAULT_POINT', 'EMBEDDED_DATABASE'];
    const text = read('docs/operating.md');
    expect(settings.length).toBeGreaterThan(15);
    expect(settings.filter((name) => !forTests.includes(name) && !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the documents', () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })];

  it.each(files)('%s links to what is there', (file) => {
    const text = read(file);
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((link) => {
      const [target = '', anchor] = link.split('#');
      const place = path.resolve(root, path.dirname(file), target);
      if (target !== '' && !existsSync(place)) return true;
      return anchor !== undefined && !anchorsOf(target === '' ? text : readFileSync(place, 'utf8')).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

/** As GitHub makes them: lower case, punctuation left out, spaces as dashes. */
function anchorsOf(markdown: string): Set<string> {
  return new Set(
    [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
