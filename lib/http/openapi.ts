import { z } from 'zod';
import type { Json, JsonObject } from '#lib/kernel/index.ts';
import { supervisorResult } from '#lib/supervisor/contract.ts';
import { errorBody } from './contract.ts';
import { OPERATION_SUMMARIES } from './operation-summaries.ts';
import type { RouteShape } from './route-shape.ts';

/** One method of one route. `path` in OpenAPI's form: `/api/t/{tenant}/runs/{run}`. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly shape: RouteShape;
}

const EVENT_STREAM = { 'text/event-stream': { schema: { type: 'string', description: 'Server-sent events; see docs/api.md.' } } };

/** Answers that a route makes by itself: streams, and texts that are no JSON. */
const OWN_ANSWERS: Readonly<Record<string, JsonObject>> = {
  'GET /api/metrics': { '200': { description: 'The measurements.', content: { 'text/plain': { schema: { type: 'string' } } } } },
  'GET /api/readyz': { '200': { description: 'It can.' }, '503': { description: 'It cannot; the body says what is missing.' } },
  'POST /api/t/{tenant}/sessions/{session}/messages': {
    '200': {
      description: 'The result, with `?wait=true`; the run’s events as they come, with `Accept: text/event-stream`.',
      content: { 'application/json': { schema: toSchema(supervisorResult, 'output') }, ...EVENT_STREAM },
    },
  },
  'GET /api/t/{tenant}/usage/file': { '200': { description: 'The table.', content: { 'text/csv': { schema: { type: 'string' } } } } },
  'GET /api/t/{tenant}/stream': { '200': { description: 'The events of these runs as they come.', content: EVENT_STREAM } },
};

/** Answer with a stream where the sender accepts one. */
const STREAMED = new Set(['GET /api/t/{tenant}/runs/{run}/events']);

/**
 * The API in OpenAPI 3.1, from the definitions of its routes: what is described is what is checked. `schemaNames` names the
 * schemas that stand under `components`; any other stands where it is used.
 */
export function describeApi(routes: readonly DescribedRoute[], schemaNames: ReadonlyMap<z.ZodType, string>): JsonObject {
  const schemas = new NamedSchemas(schemaNames);
  const paths: Record<string, Record<string, Json>> = {};
  const sorted = [...routes].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const route of sorted) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: describeOperation(route, schemas) });
  }
  const error = { $ref: schemas.add('ErrorBody', errorBody, 'output') };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bailiwick',
      version: '1',
      description: 'Everything the pages do is done through this API. docs/api.md explains it with examples.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: schemas.all,
      responses: { Error: { description: 'It failed; act on `code`.', content: { 'application/json': { schema: error } } } },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer bw_...`.' },
        signIn: {
          type: 'apiKey',
          in: 'cookie',
          name: 'next-auth.session-token',
          description: 'The cookie of a sign-in; `__Secure-` stands before its name over https. Changes must carry `Origin`.',
        },
      },
    },
  };
}

function describeOperation({ method, path, shape }: DescribedRoute, schemas: NamedSchemas): JsonObject {
  const key = `${method} ${path}`;
  const parameters = [...describePathParameters(path), ...describeQuery(shape.query)];
  return {
    operationId: toOperationId(method, path),
    summary: OPERATION_SUMMARIES[key] ?? '',
    tags: [path.replace('/api/t/{tenant}/', '').replace('/api/', '').split('/')[0] ?? ''],
    ...(shape.permission && { description: `Needs the permission \`${shape.permission}\`.`, 'x-permission': shape.permission }),
    security: { tenant: [{ apiKey: [] }, { signIn: [] }], account: [{ signIn: [] }], public: [] }[shape.access],
    ...(parameters.length > 0 && { parameters }),
    ...(shape.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemas.use(shape.body, 'input') } } },
    }),
    responses: { ...describeAnswers(key, shape, schemas), ...describeRefusals(shape, path) },
  };
}

function describeAnswers(key: string, { response, status }: RouteShape, schemas: NamedSchemas): JsonObject {
  const own = OWN_ANSWERS[key];
  if (!response) return own ?? { [status ?? 204]: { description: 'Done.' } };
  const json = { 'application/json': { schema: schemas.use(response, 'output') } };
  const content = STREAMED.has(key) ? { ...json, ...EVENT_STREAM } : json;
  return { ...own, [status ?? 200]: { description: 'As asked.', content } };
}

function describeRefusals({ access, body, query }: RouteShape, path: string): JsonObject {
  const error = { $ref: '#/components/responses/Error' };
  return {
    ...((body || query) && { '400': error }),
    ...(access !== 'public' && { '401': error }),
    ...(access === 'tenant' && { '403': error }),
    ...(path.includes('{') && { '404': error }),
    default: error,
  };
}

function describePathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: name === 'tenant' ? 'The workspace’s slug.' : 'An id.',
  }));
}

function describeQuery(query: z.ZodType | undefined): JsonObject[] {
  if (!query) return [];
  const { properties, required } = toSchema(query, 'input');
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema: schema ?? {},
  }));
}

/** `GET /api/t/{tenant}/runs/{run}` is `getRunsByRun`. */
function toOperationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api\/(t\/\{tenant\}\/)?/, '')
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, 'by-$1'))
    .flatMap((part) => part.split(/[-.]/));
  return `${method.toLowerCase()}${words.map(capitalised).join('')}`;
}

/** What goes in may leave out what has a default; what comes out may gain fields. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return JSON.parse(JSON.stringify(json));
}

class NamedSchemas {
  readonly all: Record<string, JsonObject> = {};
  readonly #names: ReadonlyMap<z.ZodType, string>;

  constructor(names: ReadonlyMap<z.ZodType, string>) {
    this.#names = names;
  }

  /** A reference to the schema where it has a name, else the schema. */
  use(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const name = this.#names.get(schema);
    return name === undefined ? toSchema(schema, io) : { $ref: this.add(capitalised(name), schema, io) };
  }

  add(name: string, schema: z.ZodType, io: 'input' | 'output'): string {
    const json = toSchema(schema, io);
    const known = this.all[name];
    // The same schema in and out, where the two differ.
    const free = known && JSON.stringify(known) !== JSON.stringify(json) ? `${name}${capitalised(io)}` : name;
    this.all[free] = json;
    return `#/components/schemas/${free}`;
  }
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
