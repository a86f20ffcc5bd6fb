import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS } from '#lib/tenancy/index.ts';
import { describeRoutes } from './describe-routes.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const SERVED = path.join(ROOT, 'app/api/openapi.json/openapi.json');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Schema {
  readonly [key: string]: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly 'x-permission'?: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema?: Schema }> }>;
}
interface Api {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, unknown>>;
}

let written: string;
let api: Api;
let operations: { key: string; path: string; method: string; operation: Operation }[];

beforeAll(async () => {
  written = (await describeRoutes()).text;
  api = JSON.parse(written);
  operations = Object.entries(api.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method} ${address}`, path: address, method, operation })),
  );
}, 60_000);

/** Every value in the description, with the way to it. */
function* walk(value: unknown, at = '#'): Generator<[string, unknown]> {
  yield [at, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* walk(child, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

describe('the description of the API', () => {
  it('is served as the routes are: run `npm run openapi` after changing one', () => {
    expect(readFileSync(SERVED, 'utf8')).toBe(written);
  });

  it('has every method of every route that clients call', () => {
    const inFolders = globSync('app/api/**/route.ts', { cwd: ROOT })
      .filter((file) => !file.includes('...') && !file.includes('/address/'))
      .flatMap((file) => {
        const address = `/${path.posix.dirname(file).replace(/^app\//, '')}`.replaceAll(/\[(\w+)\]/g, '{$1}');
        const source = readFileSync(path.join(ROOT, file), 'utf8');
        return METHODS.filter((method) => new RegExp(`\\b${method.toUpperCase()}: (define|public|account)Route`).test(source)).map(
          (method) => `${method} ${address}`,
        );
      });
    expect(inFolders.length).toBeGreaterThan(50);
    expect(operations.map(({ key }) => key).sort()).toEqual(inFolders.sort());
  });

  it('has what OpenAPI 3.1 asks of a document', () => {
    expect(api.openapi).toMatch(/^3\.1\.\d+$/);
    expect(api.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    for (const address of Object.keys(api.paths)) expect(address).toMatch(/^\/[\w./{}-]*$/);
    for (const name of Object.values(api.components).flatMap((group) => Object.keys(group))) expect(name).toMatch(/^[\w.-]+$/);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says of each operation what it is for, who may do it and how it can fail', () => {
    for (const { key, path: address, operation } of operations) {
      expect([key, operation.summary]).toEqual([key, expect.stringMatching(/^[A-Z].*\.$/)]);
      const permission = operation['x-permission'];
      expect([key, permission !== undefined]).toEqual([key, address.startsWith('/api/t/{tenant}/')]);
      expect([key, permission === undefined || (PERMISSIONS as readonly string[]).includes(permission)]).toEqual([key, true]);
      expect([key, operation.responses.default]).toEqual([key, { $ref: '#/components/responses/Error' }]);
      const codes = Object.keys(operation.responses);
      expect([key, codes.every((code) => /^([1-5]\d\d|default)$/.test(code)) && codes.some((code) => /^[23]/.test(code))]).toEqual([
        key,
        true,
      ]);
      expect([key, codes.includes('401')]).toEqual([key, operation.security.length > 0]);
      for (const response of Object.values(operation.responses))
        expect([key, response.$ref ?? response.description]).toEqual([key, expect.any(String)]);
    }
  });

  it('names every part of an address as a required parameter, once, and no parameter twice', () => {
    for (const { key, path: address, operation } of operations) {
      const parameters = operation.parameters ?? [];
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect([key, inPath.map(({ name }) => name)]).toEqual([key, [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
      expect([key, inPath.every(({ required }) => required)]).toEqual([key, true]);
      expect([key, new Set(parameters.map(({ name, in: where }) => `${where} ${name}`)).size]).toEqual([key, parameters.length]);
      expect([key, parameters.every(({ in: where, schema }) => ['path', 'query'].includes(where) && typeof schema === 'object')]).toEqual([
        key,
        true,
      ]);
    }
  });

  it('has a body for no method that takes none, and JSON for each that takes one', () => {
    for (const { key, method, operation } of operations) {
      if (!operation.requestBody) continue;
      expect([key, ['post', 'put', 'patch'].includes(method)]).toEqual([key, true]);
      expect([key, Object.keys(operation.requestBody.content)]).toEqual([key, ['application/json']]);
    }
    expect(operations.filter(({ operation }) => operation.requestBody).length).toBeGreaterThan(15);
  });

  it('leads somewhere with every reference and every way of signing in', () => {
    const places = new Map(walk(api));
    let references = 0;
    for (const [at, value] of places) {
      if (!at.endsWith('/$ref') || typeof value !== 'string') continue;
      references += 1;
      expect([at, places.has(value)]).toEqual([at, true]);
    }
    expect(references).toBeGreaterThan(100);
    const schemes = Object.keys(api.components.securitySchemes ?? {});
    for (const { key, operation } of operations)
      for (const name of operation.security.flatMap(Object.keys)) expect([key, schemes]).toEqual([key, expect.arrayContaining([name])]);
  });

  it('lets a key into workspaces alone, and shows no key of a model provider', () => {
    const takesKey = operations.filter(({ operation }) => operation.security.some((way) => 'apiKey' in way));
    expect(takesKey.every(({ path: address }) => address.startsWith('/api/t/{tenant}/'))).toBe(true);
    const schemas = api.components.schemas as Record<string, { properties: Record<string, unknown> }>;
    expect(Object.keys(schemas.CreateProviderBody?.properties ?? {})).toContain('apiKey');
    expect(JSON.stringify([schemas.ModelProviderView, schemas.ModelsView])).not.toContain('"apiKey"');
  });
});
