import type { Json, JsonObject } from '#lib/kernel/index.ts';
import type { LocalisedText, ObjectSchema } from './capability.ts';

/**
 * How arguments are found in a sentence. JSON Schema says what a value must be; these annotations say where in a request
 * it stands. All are optional: a plain schema (an MCP tool's, say) is read by its types, formats, enums and property names.
 *
 * On a property:
 * - `x-source`: where the value comes from.
 *   `values`     one of a known set: `enum`, `oneOf` with titles, or `x-values`
 *   `number`     a number; `date` YYYY-MM-DD; `time` HH:MM; `date-time` both
 *   `email`, `url`, `pattern` (the property's own `pattern`, found as a word)
 *   `expression` a piece of arithmetic, as written
 *   `name`       a short name: after one of the markers, or the few words that nothing else explains
 *   `text`       a quotation, what follows a colon, or what is left when the request itself is taken away
 *   `clause`     the whole request, courtesies removed
 *   `boolean`    true when one of `x-synonyms.true` is said, false for `x-synonyms.false`
 * - `x-values`: canonical value -> the words people use for it, in any language.
 * - `x-open`: other values than those of `x-values` are taken too, as names beside a marker; the handler judges them.
 * - `x-synonyms`: the same for the values of an `enum`, beside the values themselves.
 * - `x-after`: words the value follows (`from`, `到`). `x-before`: words it precedes (`people`, `位`).
 * - `x-near`: the name of another argument; of several possible values the one next to that argument is meant.
 * - `x-ask`: the question to put when the value is required and missing, in both languages.
 *
 * On the whole schema:
 * - `x-uses-ontology`: the capability answers from the tenant's documents, so a request about one of their topics is for it.
 */
export type ArgumentSource =
  | 'values'
  | 'number'
  | 'date'
  | 'time'
  | 'date-time'
  | 'email'
  | 'url'
  | 'pattern'
  | 'expression'
  | 'name'
  | 'text'
  | 'clause'
  | 'boolean';

/** What the extraction knows about one argument. */
export interface ArgumentHints {
  readonly name: string;
  readonly source: ArgumentSource;
  readonly isRequired: boolean;
  /** The schema is an array of what `source` finds. */
  readonly isList: boolean;
  readonly isInteger: boolean;
  /** Canonical value -> words for it. Empty unless `source` is `values` or `boolean`. */
  readonly values: ReadonlyMap<Json, readonly string[]>;
  /** Values beyond the table are taken when a marker points to one. */
  readonly isOpen: boolean;
  readonly pattern: string | null;
  readonly after: readonly string[];
  readonly before: readonly string[];
  readonly near: string | null;
  readonly ask: LocalisedText | null;
}

/** Reads the hints of every property of a schema. Anything malformed counts as absent: schemas come from plugins too. */
export function readArgumentHints(schema: ObjectSchema): ArgumentHints[] {
  const properties = asObject(schema['properties']);
  const required = new Set(asStrings(schema['required']));
  return Object.entries(properties).map(([name, property]) => readProperty(name, asObject(property), required.has(name)));
}

/** The question to put when an argument is missing (`x-ask`); null when the schema has none. */
export function questionFor(schema: ObjectSchema, argument: string): LocalisedText | null {
  return readArgumentHints(schema).find((hints) => hints.name === argument)?.ask ?? null;
}

/** Whether the capability answers from the tenant's documents (`x-uses-ontology`). */
export function usesOntology(schema: ObjectSchema): boolean {
  return schema['x-uses-ontology'] === true;
}

function readProperty(name: string, property: JsonObject, isRequired: boolean): ArgumentHints {
  const isList = property['type'] === 'array';
  const item = isList ? { ...asObject(property['items']), ...hintsOnly(property) } : property;
  const values = readValues(item);
  return {
    name,
    source: readSource(name, item, values),
    // A default stands in for what was not said.
    isRequired: isRequired && property['default'] === undefined,
    isList,
    isInteger: item['type'] === 'integer',
    values,
    isOpen: item['x-open'] === true,
    pattern: typeof item['pattern'] === 'string' ? item['pattern'] : null,
    after: asWords(item['x-after']),
    before: asWords(item['x-before']),
    near: typeof item['x-near'] === 'string' ? item['x-near'] : null,
    ask: readLocalised(item['x-ask']),
  };
}

function hintsOnly(property: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(property).filter(([key]) => key.startsWith('x-')));
}

const SOURCES: readonly string[] = [
  'values',
  'number',
  'date',
  'time',
  'date-time',
  'email',
  'url',
  'pattern',
  'expression',
  'name',
  'text',
  'clause',
  'boolean',
] satisfies ArgumentSource[];

function isSource(value: unknown): value is ArgumentSource {
  return typeof value === 'string' && SOURCES.includes(value);
}

function readSource(name: string, property: JsonObject, values: ReadonlyMap<Json, readonly string[]>): ArgumentSource {
  if (isSource(property['x-source'])) return property['x-source'];
  const type = Array.isArray(property['type']) ? property['type'].find((entry) => entry !== 'null') : property['type'];
  if (type === 'boolean') return 'boolean';
  if (values.size > 0) return 'values';
  if (type === 'number' || type === 'integer') return 'number';
  const format = typeof property['format'] === 'string' ? SOURCE_OF_FORMAT.get(property['format']) : undefined;
  if (format) return format;
  if (typeof property['pattern'] === 'string') return 'pattern';
  return sourceByName(name);
}

const SOURCE_OF_FORMAT: ReadonlyMap<string, ArgumentSource> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'date-time'],
  ['email', 'email'],
  ['uri', 'url'],
]);

/** A plain string says nothing but its name, which is how most tools of others arrive. */
function sourceByName(name: string): ArgumentSource {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  if (/\b(date|day)\b/.test(words.replaceAll('_', ' '))) return 'date';
  if (/e-?mail|recipient/.test(words)) return 'email';
  if (/\b(url|uri|link)\b/.test(words.replaceAll('_', ' '))) return 'url';
  if (/text|content|body|message|note|summary|description|prompt|input/.test(words)) return 'text';
  if (/query|question|search/.test(words)) return 'clause';
  return 'name';
}

function readValues(property: JsonObject): ReadonlyMap<Json, readonly string[]> {
  const values = new Map<Json, string[]>();
  const add = (value: Json, words: readonly string[]) => values.set(value, [...(values.get(value) ?? []), ...words]);
  for (const value of asList(property['enum'])) add(value, typeof value === 'string' ? spokenForms(value) : [JSON.stringify(value)]);
  for (const option of [...asList(property['oneOf']), ...asList(property['anyOf'])].map(asObject)) {
    if (option['const'] === undefined) continue;
    const title = typeof option['title'] === 'string' ? [option['title']] : [];
    add(option['const'], typeof option['const'] === 'string' ? [...spokenForms(option['const']), ...title] : title);
  }
  for (const [value, words] of Object.entries(asObject(property['x-values']))) add(value, [value, ...asWords(words)]);
  for (const [value, words] of Object.entries(asObject(property['x-synonyms']))) {
    add(property['type'] === 'boolean' ? value === 'true' : value, asWords(words));
  }
  return values;
}

/** `sick_leave` is said "sick leave". */
function spokenForms(value: string): string[] {
  const spoken = value.replace(/[_-]+/g, ' ').trim();
  return spoken === value ? [value] : [value, spoken];
}

function readLocalised(value: Json | undefined): LocalisedText | null {
  const { en, 'zh-CN': chinese } = asObject(value);
  return typeof en === 'string' && typeof chinese === 'string' ? { en, 'zh-CN': chinese } : null;
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Words to look for. A blank one is found everywhere and says nothing: whoever looks for it never comes to an end. */
function asWords(value: Json | undefined): string[] {
  return asStrings(value).filter((word) => word.trim() !== '');
}

function asStrings(value: Json | undefined): string[] {
  return asList(value).filter((item) => typeof item === 'string');
}
