import { Ajv } from 'ajv';
import { Ajv2020, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type JsonObject, messageOf } from '#lib/kernel/index.ts';
import type { ObjectSchema } from '../domain/capability.ts';
import type { ArgumentValidator, Validation } from '../ports.ts';
import { createGuardedPattern } from './guarded-pattern.ts';

/** Problems told at once; a person or model mends the first few. */
const PROBLEM_LIMIT = 10;

const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema/;

/**
 * JSON Schema 2020-12 by Ajv, and draft 7 where a schema says that it is written in it, as those of many MCP servers do. A remote `$ref` is never fetched: a schema that has one, or is no schema, fails every call
 * with a problem that says so. Unknown keywords and formats are ignored, as the standard has it. Never throws.
 */
export function createAjvArgumentValidator(): ArgumentValidator & {
  /** Why nothing can be checked against a schema; null: it is one. */
  findSchemaFault(schema: JsonObject): string | null;
} {
  const options: Options = {
    allErrors: true,
    strict: false,
    logger: false,
    // Two servers may use one $id.
    addUsedSchema: false,
    code: { regExp: Object.assign(createGuardedPattern, { code: 'createGuardedPattern' }) },
  };
  const newest = new Ajv2020(options);
  const draft7 = new Ajv(options);
  for (const ajv of [newest, draft7]) formats.default(ajv);
  const compile = ({ $schema: dialect, ...schema }: JsonObject): ValidateFunction =>
    (typeof dialect === 'string' && DRAFT_7.test(dialect) ? draft7 : newest).compile(schema as AnySchemaObject);
  const compiled = new WeakMap<ObjectSchema, ValidateFunction>();
  return {
    validate(schema, args) {
      try {
        const check = compiled.get(schema) ?? compile(schema);
        compiled.set(schema, check);
        return check(args) ? { ok: true } : refuse(check.errors ?? []);
      } catch (error) {
        // The schema does not compile, nests without end, or has a pattern that ran away.
        return { ok: false, problems: [{ path: '', message: `cannot be checked against the schema: ${messageOf(error)}` }] };
      }
    },
    findSchemaFault(schema) {
      try {
        compile(schema);
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
  };
}

function refuse(errors: readonly ErrorObject[]): Validation {
  return {
    ok: false,
    problems: errors.slice(0, PROBLEM_LIMIT).map((error) => ({
      path: error.instancePath.replaceAll('/', '.').replace(/^\./, ''),
      message: describe(error),
    })),
  };
}

/** Ajv's words, with the names they leave out. */
function describe({ keyword, message, params }: ErrorObject): string {
  const said = message ?? 'is not valid';
  if (keyword === 'additionalProperties') return `${said}: ${String(params['additionalProperty'])}`;
  if (keyword === 'enum' && Array.isArray(params['allowedValues']))
    return `${said}: ${params['allowedValues'].slice(0, 20).map(String).join(', ')}`;
  return said;
}
