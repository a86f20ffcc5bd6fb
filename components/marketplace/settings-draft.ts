/** One thing that can be set, read from a plugin's JSON Schema. */
export interface SettingField {
  readonly name: string;
  readonly title: { readonly en: string; readonly 'zh-CN': string };
  readonly description: { readonly en: string; readonly 'zh-CN': string } | null;
  readonly kind: 'text' | 'secret' | 'number' | 'switch' | 'choice' | 'list';
  readonly options: readonly string[];
  readonly isRequired: boolean;
  /** What holds while it is left empty; null: nothing. */
  readonly default: string | boolean | null;
}

/** What a form holds: text for everything but switches. */
export type SettingsDraft = Readonly<Record<string, string | boolean>>;
export type DraftProblem = 'isRequired' | 'notNumber';

/** The fields of a schema, in its order. What the form has no control for is left out: it keeps what is set. */
export function readFields(schema: Readonly<Record<string, unknown>> | null): SettingField[] {
  const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
  return Object.entries(asRecord(schema?.properties)).flatMap(([name, given]) => {
    const property = asRecord(given);
    const kind = kindOf(property);
    if (!kind) return [];
    return [
      {
        name,
        title: localised(property['x-title']) ?? same(typeof property.title === 'string' ? property.title : name),
        description: localised(property['x-description']) ?? (typeof property.description === 'string' ? same(property.description) : null),
        kind,
        options: Array.isArray(property.enum) ? property.enum.map(String) : [],
        isRequired: required.has(name) && property.default === undefined,
        default: defaultOf(property.default),
      },
    ];
  });
}

/** The draft of what is set now. Secrets are never there: an empty one stays as it is. */
export function toDraft(fields: readonly SettingField[], values: Readonly<Record<string, unknown>>): SettingsDraft {
  return Object.fromEntries(
    fields.map(({ name, kind, default: standard }) => {
      const value = values[name];
      if (kind === 'switch') return [name, typeof value === 'boolean' ? value : standard === true];
      if (kind === 'list') return [name, Array.isArray(value) ? value.join('\n') : ''];
      return [name, kind === 'secret' ? '' : (defaultOf(value) ?? '').toString()];
    }),
  );
}

/** What is wrong with a draft, by field. `kept` are secrets that are set already. */
export function findDraftProblems(
  fields: readonly SettingField[],
  draft: SettingsDraft,
  kept: ReadonlySet<string>,
): Readonly<Record<string, DraftProblem>> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, isRequired }): [string, DraftProblem][] => {
      const text = textOf(draft, name);
      if (isRequired && kind !== 'switch' && text === '' && !kept.has(name)) return [[name, 'isRequired']];
      if (kind === 'number' && text !== '' && !Number.isFinite(Number(text))) return [[name, 'notNumber']];
      return [];
    }),
  );
}

/** What is sent: an empty field is left out, so that its default holds and a secret stays. */
export function fromDraft(fields: readonly SettingField[], draft: SettingsDraft): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }): [string, string | number | boolean | string[]][] => {
      if (kind === 'switch') return [[name, draft[name] === true]];
      const text = textOf(draft, name);
      if (text === '') return [];
      if (kind === 'number') return [[name, Number(text)]];
      if (kind !== 'list') return [[name, text]];
      return [
        [
          name,
          text
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        ],
      ];
    }),
  );
}

function textOf(draft: SettingsDraft, name: string): string {
  const value = draft[name];
  return typeof value === 'string' ? value.trim() : '';
}

function kindOf(property: Readonly<Record<string, unknown>>): SettingField['kind'] | null {
  if (property.writeOnly === true) return 'secret';
  if (Array.isArray(property.enum)) return 'choice';
  switch (property.type) {
    case 'boolean':
      return 'switch';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'text';
    case 'array':
      return 'list';
    default:
      return null;
  }
}

function defaultOf(value: unknown): string | boolean | null {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function localised(value: unknown): { en: string; 'zh-CN': string } | null {
  const { en, 'zh-CN': chinese } = asRecord(value);
  return typeof en === 'string' && typeof chinese === 'string' ? { en, 'zh-CN': chinese } : null;
}

function same(text: string): { en: string; 'zh-CN': string } {
  return { en: text, 'zh-CN': text };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
