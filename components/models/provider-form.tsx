'use client';

import { useRouter } from 'next/navigation';
import { useTimeZone, useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { type ModelProviderView, providerKind } from '#lib/models/contract.ts';
import { DraftInput, DraftSelect } from './draft-input.tsx';
import {
  type DraftField,
  type DraftProblems,
  draftOf,
  dropsKey,
  findProblems,
  PRICE_FIELDS,
  type ProviderDraft,
  SETTING_FIELDS,
  toCreateBody,
  toUpdateBody,
} from './provider-draft.ts';
import { refusedFields } from './refused-fields.ts';

/** Adds a provider, or changes one. Its stored key is never shown: an empty field keeps it. */
export function ProviderForm({ provider, onDone }: { provider: ModelProviderView | null; onDone: () => void }) {
  const t = useTranslations('models.form');
  const { tenant } = useMe();
  const router = useRouter();
  const timeZone = useTimeZone() ?? 'UTC';
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => draftOf(provider));
  const [problems, setProblems] = useState<DraftProblems>({});
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const change = (part: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...part });
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in part))));
  };
  const show = (found: DraftProblems) => {
    setProblems(found);
    // The fields are marked by the next paint; the first of them is where to go on.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const save = async () => {
    const found = findProblems(draft);
    setFailure(null);
    if (Object.keys(found).length > 0) {
      show(found);
      return;
    }
    setIsSaving(true);
    const path = `/api/t/${tenant.slug}/models/providers`;
    try {
      await (provider
        ? requestDone(`${path}/${provider.id}`, { method: 'PATCH', body: toUpdateBody(draft, timeZone) })
        : requestDone(path, { method: 'POST', body: toCreateBody(draft) }));
      router.refresh();
      onDone();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      const named = refusedFields(refused);
      if (Object.keys(named).length > 0) show(named);
      else setFailure(refused);
      setIsSaving(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const input = (field: Exclude<DraftField, 'kind' | 'isKeyRemoved'>) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => change({ [field]: value }),
  });
  const keyHint = provider?.keyHint ?? null;
  const isKeyDropped = dropsKey(draft, provider);
  const keyText = draft.isKeyRemoved || keyHint === null ? t('keyNone') : isKeyDropped ? t('keyDropped') : t('keyKeep', { hint: keyHint });
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <DraftSelect
          label={t('kind')}
          hint={provider ? t('kindFixed') : null}
          value={draft.kind}
          isDisabled={provider !== null}
          kinds={providerKind.options}
          onChange={(kind) => change({ kind })}
        />
        <DraftInput label={t('name')} hint={t('nameHint')} {...input('name')} />
      </div>
      <DraftInput
        label={t('baseUrl')}
        hint={draft.kind === 'compatible' ? t('baseUrlNeeded') : t('baseUrlHint')}
        inputMode="url"
        isCode
        {...input('baseUrl')}
      />
      <DraftInput label={t('model')} hint={t('modelHint')} isCode {...input('model')} />
      <div className="flex flex-col gap-1.5">
        <DraftInput
          label={t('apiKey')}
          hint={`${keyText} ${t('keyWriteOnly')}`}
          isSecret
          isDisabled={draft.isKeyRemoved}
          {...input('apiKey')}
        />
        {keyHint === null ? null : (
          <label className="touchable flex items-center gap-2 self-start text-ui">
            <input
              type="checkbox"
              checked={draft.isKeyRemoved}
              onChange={(event) => change({ isKeyRemoved: event.target.checked, apiKey: '' })}
              className="accent-primary"
            />
            {t('removeKey')}
          </label>
        )}
      </div>
      <fieldset className="border-t border-border pt-3">
        <legend className="pe-2 text-ui font-semibold">{t('prices')}</legend>
        <p className="mb-3 text-meta text-muted-foreground">{t('pricesHint')}</p>
        <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-3">
          <DraftInput label={t('currency')} {...input('currency')} />
          {PRICE_FIELDS.map((field) => (
            <DraftInput
              key={field}
              label={t(field)}
              hint={field === 'cachedInput' || field === 'cacheWrite' ? t('emptyIsInput') : null}
              inputMode="decimal"
              {...input(field)}
            />
          ))}
          {provider ? <DraftInput label={t('priceFrom')} hint={t('priceFromHint')} {...input('priceFrom')} /> : null}
        </div>
      </fieldset>
      <fieldset className="border-t border-border pt-3">
        <legend className="pe-2 text-ui font-semibold">{t('settings')}</legend>
        <p className="mb-3 text-meta text-muted-foreground">{t('settingsHint')}</p>
        <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-3">
          {SETTING_FIELDS.map((field) => (
            <DraftInput key={field} label={t(field)} inputMode="decimal" {...input(field)} />
          ))}
        </div>
      </fieldset>
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="sticky -bottom-5 -mx-5 -mb-5 flex justify-end gap-2 border-t border-border bg-card px-5 py-3">
        <Button look="quiet" onClick={onDone} disabled={isSaving}>
          {t('leave')}
        </Button>
        <Button type="submit" look="primary" disabled={isSaving}>
          {isSaving ? t('saving') : t('save')}
        </Button>
      </div>
    </form>
  );
}
