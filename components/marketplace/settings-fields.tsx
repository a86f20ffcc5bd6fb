'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Field } from '#components/ui/field.tsx';
import { Input, Select, Textarea } from '#components/ui/input.tsx';
import { Switch } from '#components/ui/switch.tsx';
import type { DraftProblem, SettingField, SettingsDraft } from './settings-draft.ts';

interface SettingsFieldsProps {
  fields: readonly SettingField[];
  draft: SettingsDraft;
  /** What can be shown of secrets that are set. */
  secretHints: Readonly<Record<string, string>>;
  problems: Readonly<Record<string, DraftProblem>>;
  /** What the server refused, by field. */
  refused: Readonly<Record<string, string>>;
  onChange: (name: string, value: string | boolean) => void;
}

/** A plugin's settings as a form. */
export function SettingsFields({ fields, draft, secretHints, problems, refused, onChange }: SettingsFieldsProps) {
  const t = useTranslations('marketplace.settings');
  const locale = useLocale();
  return (
    <div className="flex max-w-[32rem] flex-col gap-4">
      {fields.map((field) => {
        const label = field.title[locale];
        const value = draft[field.name];
        const text = typeof value === 'string' ? value : '';
        if (field.kind === 'switch') {
          return (
            <Switch
              key={field.name}
              label={label}
              hint={field.description?.[locale]}
              isOn={value === true}
              onChange={(isOn) => onChange(field.name, isOn)}
            />
          );
        }
        const problem = problems[field.name];
        return (
          <Field key={field.name} label={label} hint={hintOf(field)} problem={problem ? t(problem) : refused[field.name]}>
            {(control) => {
              const shared = {
                ...control,
                value: text,
                required: field.isRequired && secretHints[field.name] === undefined,
                onChange: (event: { target: { value: string } }) => onChange(field.name, event.target.value),
              };
              if (field.kind === 'list') return <Textarea {...shared} rows={3} />;
              if (field.kind === 'choice') {
                return (
                  <Select {...shared}>
                    <option value="">{field.default === null ? t('choose') : t('default', { value: String(field.default) })}</option>
                    {field.options.map((option) => (
                      <option key={option} value={option}>
                        {option}
                      </option>
                    ))}
                  </Select>
                );
              }
              return (
                <Input
                  {...shared}
                  type={field.kind === 'secret' ? 'password' : 'text'}
                  inputMode={field.kind === 'number' ? 'decimal' : undefined}
                  autoComplete={field.kind === 'secret' ? 'new-password' : 'off'}
                  spellCheck={false}
                />
              );
            }}
          </Field>
        );
      })}
    </div>
  );

  function hintOf(field: SettingField): string {
    const parts = [field.description?.[locale] ?? ''];
    if (field.kind === 'secret') {
      const hint = secretHints[field.name];
      parts.push(hint === undefined ? t('secretNew') : t('secretKept', { hint }));
    }
    if (field.kind === 'list') parts.push(t('listHint'));
    if (field.default !== null && field.kind !== 'choice') parts.push(t('default', { value: String(field.default) }));
    return parts.filter(Boolean).join(' ');
  }
}
