import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { messageOf } from '#lib/kernel/index.ts';
import type { ObjectSchema } from '../domain/capability.ts';
import type { ArgumentValidator, Validation } from '../ports.ts';
import { createGuardedPattern } from './guarded-pattern.ts';

/** Problems told at once; a person or model mends the first few. */
const PROBLEM_LIMIT = 10;

/**
 * JSON Schema 2020-12 by Ajv. A remote `$ref` is never fetched: a schema that has one, or is no schema, fails every call
 * with a problem that says so. Unknown keywords and formats are ignored, as the standard has it. Never throws.
 */
export function createAjvArgumentValidator(): ArgumentValidator {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    // Two servers may use one $id.
    addUsedSchema: false,
    code: { regExp: Object.assign(createGuardedPattern, { code: 'createGuardedPattern' }) },
  });
  formats.default(ajv);
  const compiled = new WeakMap<ObjectSchema, ValidateFunction>();
  return {
    validate(schema, args) {
      try {
        const check = compiled.get(schema) ?? ajv.compile(schema as AnySchemaObject);
        compiled.set(schema, check);
        return check(args) ? { ok: true } : refuse(check.errors ?? []);
      } catch (error) {
        // The schema does not compile, nests without end, or has a pattern that ran away.
        return { ok: false, problems: [{ path: '', message: `cannot be checked against the schema: ${messageOf(error)}` }] };
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
