'use client';

import { useTranslations } from 'next-intl';
import { Field } from '#components/ui/field.tsx';
import { Input, Textarea } from '#components/ui/input.tsx';

type Values = Readonly<Record<string, unknown>>;

/** One argument while it is edited: how it is written, and what kind of value it is. */
interface EditedArgument {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  readonly text: string;
}
export type EditedArguments = readonly EditedArgument[];

/** From so many characters on a text has room for lines. */
const LINE = 60;

export function startEditing(values: Values): EditedArguments {
  return Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return { name, kind: 'text', text: value };
    if (typeof value === 'number') return { name, kind: 'number', text: String(value) };
    if (typeof value === 'boolean') return { name, kind: 'boolean', text: String(value) };
    return { name, kind: 'json', text: JSON.stringify(value, null, 2) };
  });
}

/** The values as they are written now; null while one of them cannot be read. The server checks them against the schema. */
export function readArguments(edited: EditedArguments): Record<string, unknown> | null {
  const values: [string, unknown][] = [];
  for (const argument of edited) {
    const read = readArgument(argument);
    if (!read) return null;
    values.push([argument.name, read.value]);
  }
  return Object.fromEntries(values);
}

function readArgument({ kind, text }: EditedArgument): { value: unknown } | null {
  if (kind === 'text') return { value: text };
  if (kind === 'boolean') return { value: text === 'true' };
  if (kind === 'number') return text.trim() === '' || !Number.isFinite(Number(text)) ? null : { value: Number(text) };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** The arguments of a call as a form, each by its kind. */
export function ArgumentFields({
  edited,
  isDisabled,
  onChange,
}: {
  edited: EditedArguments;
  isDisabled: boolean;
  onChange: (edited: EditedArguments) => void;
}) {
  const t = useTranslations('approvals');
  const set = (name: string, text: string) =>
    onChange(edited.map((argument) => (argument.name === name ? { ...argument, text } : argument)));
  return (
    <fieldset disabled={isDisabled} className="flex flex-col gap-3">
      <legend className="sr-only">{t('arguments')}</legend>
      {edited.map((argument) => {
        const { name, kind, text } = argument;
        if (kind === 'boolean')
          return (
            <label key={name} className="touchable flex min-h-8 items-center gap-2.5 text-ui font-medium">
              <input
                type="checkbox"
                checked={text === 'true'}
                onChange={(event) => set(name, String(event.target.checked))}
                className="size-3.5 accent-primary"
              />
              {name}
            </label>
          );
        const isLong = kind === 'json' || text.length > LINE || text.includes('\n');
        return (
          <Field key={name} label={name} problem={readArgument(argument) ? undefined : t(kind === 'number' ? 'noNumber' : 'noJson')}>
            {(control) =>
              isLong ? (
                <Textarea {...control} rows={4} value={text} onChange={(event) => set(name, event.target.value)} />
              ) : (
                <Input
                  {...control}
                  inputMode={kind === 'number' ? 'decimal' : 'text'}
                  value={text}
                  onChange={(event) => set(name, event.target.value)}
                />
              )
            }
          </Field>
        );
      })}
    </fieldset>
  );
}

/** The arguments of a call to be read, whole: what is allowed must be seen. */
export function ArgumentList({ values }: { values: Values }) {
  const t = useTranslations('approvals');
  const entries = Object.entries(values);
  if (entries.length === 0) return <p className="text-ui text-muted-foreground">{t('noArguments')}</p>;
  return (
    <dl
      aria-label={t('arguments')}
      className="grid gap-x-4 gap-y-1 border-s-2 border-border ps-3 text-ui sm:grid-cols-[minmax(6rem,auto)_1fr]"
    >
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="min-w-0 max-h-60 overflow-auto break-words whitespace-pre-wrap">
            {typeof value === 'string' ? value : <code className="font-mono text-meta">{JSON.stringify(value, null, 2)}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
