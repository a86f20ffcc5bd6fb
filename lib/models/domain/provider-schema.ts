import type { Json, JsonObject } from '#lib/kernel/index.ts';
import type { ProviderKind } from './model-spec.ts';

/** Keywords about the schema itself, and our own; no provider needs them. */
const ABOUT_ITSELF = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  'definitions',
  '$vocabulary',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
/** What endpoints that only claim to be compatible stumble over. */
const SELDOM_KNOWN = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'prefixItems',
  'minProperties',
  'maxProperties',
  'contentEncoding',
  'contentMediaType',
  'not',
  'if',
  'then',
  'else',
]);
const ALTERNATIVES = ['oneOf', 'anyOf', 'allOf'] as const;
/** References that repeat what they refer to can double a schema again and again. */
const NODE_LIMIT = 5_000;

/**
 * A tool's schema as a provider takes it (known fault K7): references are written out, a recursive one ends in "anything",
 * the top is a plain object, and for compatible endpoints what many of them refuse is left out. It only describes: arguments
 * are checked against the original.
 */
export function toProviderSchema(kind: ProviderKind, schema: JsonObject): JsonObject {
  let nodes = 0;
  const isCautious = kind === 'compatible';

  function clean(value: Json | undefined, open: readonly string[]): Json | undefined {
    nodes += 1;
    if (nodes > NODE_LIMIT) return {};
    if (Array.isArray(value)) return value.map((item) => clean(item as Json, open) ?? null);
    if (!isObject(value)) return value;
    const { $ref: ref, ...rest } = value;
    if (typeof ref === 'string') {
      const target = open.includes(ref) ? null : findLocal(schema, ref);
      return target ? clean({ ...target, ...rest }, [...open, ref]) : withoutKeywords(rest, open);
    }
    return withoutKeywords(value, open);
  }

  function withoutKeywords(value: JsonObject, open: readonly string[]): JsonObject {
    const entries = Object.entries(value).filter(
      ([key]) => !ABOUT_ITSELF.has(key) && !key.startsWith('x-') && !(isCautious && SELDOM_KNOWN.has(key)),
    );
    const cleaned = Object.fromEntries(
      entries.map(([key, item]) => [key, key === 'properties' ? cleanProperties(item, open) : clean(item, open)]),
    );
    return isCautious ? simplify(cleaned) : cleaned;
  }

  /** Names of properties are no keywords. */
  function cleanProperties(properties: Json | undefined, open: readonly string[]): Json {
    if (!isObject(properties)) return {};
    return Object.fromEntries(Object.entries(properties).map(([name, item]) => [name, clean(item, open) ?? {}]));
  }

  const whole = clean(schema, []);
  const top = isObject(whole) ? whole : {};
  const plain = Object.fromEntries(
    Object.entries(top).filter(([key]) => !(ALTERNATIVES as readonly string[]).includes(key) && key !== 'enum' && key !== 'not'),
  );
  return { ...plain, type: 'object', properties: isObject(plain.properties) ? plain.properties : {} };
}

/** One type instead of several, alternatives under one name, and values listed only where they are texts. */
function simplify(schema: JsonObject): JsonObject {
  const { type, oneOf, const: only, ...rest } = schema;
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  const single = Array.isArray(type) ? (types[0] ?? 'string') : type;
  const listed = only === undefined ? rest.enum : [only];
  const { enum: _enum, ...others } = rest;
  const values = Array.isArray(listed) && listed.every((value) => typeof value === 'string') ? listed : undefined;
  return {
    ...(single !== undefined && { type: single as Json }),
    ...others,
    ...(values && { enum: values }),
    ...(oneOf !== undefined && others.anyOf === undefined && { anyOf: oneOf }),
  };
}

function findLocal(root: JsonObject, ref: string): JsonObject | null {
  if (!ref.startsWith('#')) return null;
  let found: Json | undefined = root;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isObject(found) ? found : null;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
