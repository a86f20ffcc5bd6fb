'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useId, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { chosenNoticeKind, type WebhookView, webhookResult } from '#lib/notifications/contract.ts';
import { useKindName } from './use-kind-name.ts';

const KINDS = chosenNoticeKind.options;

/** Sets the webhook. `onMade` gets a secret that was made for it; without one there is nothing to show. */
export function WebhookForm({
  webhook,
  onMade,
  onDone,
}: {
  webhook: WebhookView | null;
  onMade: (secret: string) => void;
  onDone: () => void;
}) {
  const t = useTranslations('notifications');
  const nameOf = useKindName();
  const { tenant } = useMe();
  const { isSending, failure, send } = useSending();
  const legend = useId();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [kinds, setKinds] = useState<readonly (typeof KINDS)[number][]>(webhook?.kinds ?? KINDS);
  const [isEnabled, setIsEnabled] = useState(webhook?.isEnabled ?? true);
  const [isTried, setIsTried] = useState(false);
  const isAddress = /^https?:\/\/./.test(url.trim());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!isAddress || kinds.length === 0) return;
    await send(async () => {
      const body = { url: url.trim(), kinds, isEnabled };
      const { secret } = await requestJson(`/api/t/${tenant.slug}/notifications/webhook`, webhookResult, { method: 'PUT', body });
      if (secret === null) onDone();
      else onMade(secret);
    });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('webhook.url')} hint={t('webhook.urlHint')} problem={isTried && !isAddress ? t('webhook.urlProblem') : undefined}>
        {(control) => (
          <Input
            {...control}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={2_000}
            className="font-mono"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <fieldset aria-labelledby={legend} className="flex flex-col gap-1.5">
        <p id={legend} className="text-ui font-medium">
          {t('webhook.kinds')}
        </p>
        {KINDS.map((kind) => (
          <label key={kind} className="touchable flex items-center gap-2 text-ui">
            <input
              type="checkbox"
              className="size-4 accent-primary"
              checked={kinds.includes(kind)}
              onChange={(event) => setKinds(event.target.checked ? [...kinds, kind] : kinds.filter((other) => other !== kind))}
            />
            {nameOf(kind)}
          </label>
        ))}
        {isTried && kinds.length === 0 ? (
          <p role="alert" className="text-meta text-destructive">
            {t('webhook.kindsProblem')}
          </p>
        ) : null}
      </fieldset>
      {webhook ? <Switch label={t('webhook.enabled')} hint={t('webhook.enabledHint')} isOn={isEnabled} onChange={setIsEnabled} /> : null}
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onDone} disabled={isSending}>
          {t('webhook.leave')}
        </Button>
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? t('webhook.saving') : t('webhook.save')}
        </Button>
      </div>
    </form>
  );
}
