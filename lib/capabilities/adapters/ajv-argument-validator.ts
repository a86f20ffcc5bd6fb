import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ObjectSchema } from '../domain/capability.ts';
import type { ArgumentValidator } from '../ports.ts';

/** JSON Schema 2020-12 by Ajv. A remote `$ref` is never fetched: a schema that has one does not compile, and the call is refused. */
export function createAjvArgumentValidator(): ArgumentValidator {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  const compiled = new WeakMap<ObjectSchema, ReturnType<typeof ajv.compile>>();
  return {
    validate(schema, args) {
      const check = compiled.get(schema) ?? ajv.compile(schema);
      compiled.set(schema, check);
      if (check(args)) return { ok: true };
      return { ok: false, problems: (check.errors ?? []).map((error) => ({ path: error.instancePath.replaceAll('/', '.').replace(/^\./, ''), message: error.message ?? 'is not valid' })) };
    },
  };
}
