import { useTranslations } from 'next-intl';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import type { DraftField, ServerDraft } from './server-draft.ts';

interface SignInFieldsProps {
  draft: ServerDraft;
  /** Whether a stored client stays while nothing is typed. */
  isKept: boolean;
  problemOf: (field: DraftField) => string | null;
  onChange: (part: Partial<ServerDraft>) => void;
}

/** As whom the platform speaks to a server's authorization server; nothing typed: it registers itself. */
export function SignInFields({ draft, isKept, problemOf, onChange }: SignInFieldsProps) {
  const t = useTranslations('mcp.form');
  const text = { className: 'font-mono', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false };
  return (
    <>
      <Field label={t('clientId')} hint={t(isKept ? 'clientKeep' : 'clientHint')} problem={problemOf('clientId')}>
        {(control) => (
          <Input {...control} {...text} value={draft.clientId} onChange={(event) => onChange({ clientId: event.target.value })} />
        )}
      </Field>
      <Field label={t('clientSecret')} hint={t('clientSecretHint')}>
        {(control) => (
          <Input
            {...control}
            {...text}
            type="password"
            autoComplete="new-password"
            value={draft.clientSecret}
            onChange={(event) => onChange({ clientSecret: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('scope')} hint={t('scopeHint')}>
        {(control) => <Input {...control} {...text} value={draft.scope} onChange={(event) => onChange({ scope: event.target.value })} />}
      </Field>
    </>
  );
}
