'use client';

import { PlusIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { createApiKeyResult } from '#lib/tenancy/contract.ts';
import { MakeDialog } from './make-dialog.tsx';
import { PERMISSION_GROUPS } from './permission-groups.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRIES = ['7', '30', '90', '365', 'never'] as const;

/** Makes an API key within one's own rights, and shows it the one time it can be shown. */
export function NewApiKey({ look }: { look: 'primary' | 'outline' }) {
  const t = useTranslations('people.keys');
  return (
    <MakeDialog
      trigger={
        <Button look={look}>
          <PlusIcon aria-hidden />
          {t('add')}
        </Button>
      }
      className="w-[min(40rem,calc(100vw-2rem))]"
      words={{
        new: { title: t('new.title'), body: t('new.body') },
        made: { title: t('made.title'), body: t('made.body') },
        copy: t('made.copy'),
        done: t('made.done'),
      }}
      renderForm={(onMade) => <NewKeyForm onMade={onMade} />}
    />
  );
}

function NewKeyForm({ onMade }: { onMade: (key: string) => void }) {
  const t = useTranslations('people');
  const { tenant, permissions: own } = useMe();
  const { isSending, failure, send } = useSending();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<string>('90');
  const [scopes, setScopes] = useState<readonly string[]>(['tenant:read']);
  const [isScopeMissing, setIsScopeMissing] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsScopeMissing(scopes.length === 0);
    if (scopes.length === 0) return;
    const expiresAt = expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
    await send(async () => {
      const body = { name, scopes, expiresAt };
      onMade((await requestJson(`/api/t/${tenant.slug}/api-keys`, createApiKeyResult, { method: 'POST', body })).key);
    });
  };
  const toggle = (permission: string) =>
    setScopes((chosen) => (chosen.includes(permission) ? chosen.filter((other) => other !== permission) : [...chosen, permission]));
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('keys.new.name')} hint={t('keys.new.nameHint')}>
          {(control) => (
            <Input {...control} required maxLength={80} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label={t('keys.new.expiry')}>
          {(control) => (
            <Select {...control} value={expiry} onChange={(event) => setExpiry(event.target.value)}>
              {EXPIRIES.map((days) => (
                <option key={days} value={days}>
                  {days === 'never' ? t('keys.new.neverExpires') : t('keys.new.days', { days: Number(days) })}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <fieldset>
        <legend className="text-ui font-medium">{t('keys.new.scopes')}</legend>
        <div className="mt-1 flex gap-1">
          <Button size="small" onClick={() => setScopes(own)}>
            {t('keys.new.all')}
          </Button>
          <Button size="small" onClick={() => setScopes([])}>
            {t('keys.new.none')}
          </Button>
        </div>
        <div className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-2">
          {PERMISSION_GROUPS.flatMap(({ permissions }) => permissions)
            .filter((permission) => own.includes(permission))
            .map((permission) => (
              <label key={permission} className="touchable flex min-h-7 items-start gap-2 text-ui">
                <input
                  type="checkbox"
                  checked={scopes.includes(permission)}
                  onChange={() => toggle(permission)}
                  className="mt-0.5 size-4 shrink-0 accent-primary"
                />
                <span>
                  {t(`permissions.${permission}`)} <code className="font-mono text-meta text-muted-foreground">{permission}</code>
                </span>
              </label>
            ))}
        </div>
        {isScopeMissing ? (
          <p role="alert" className="mt-1 text-meta text-destructive">
            {t('keys.new.needsScope')}
          </p>
        ) : null}
      </fieldset>
      {failure ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" look="primary" disabled={isSending} className="self-end">
        {isSending ? t('keys.new.saving') : t('keys.new.save')}
      </Button>
    </form>
  );
}
