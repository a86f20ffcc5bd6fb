'use client';

import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone, requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { MakeDialog } from '#components/tenancy/make-dialog.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { type DeliveryView, deliveryView, type WebhookView, webhookResult } from '#lib/notifications/contract.ts';
import { useKindName } from './use-kind-name.ts';
import { WebhookForm } from './webhook-form.tsx';

const MOMENT = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** Where the workspace has its notifications posted: address, secret, a test. */
export function WebhookSettings({ webhook }: { webhook: WebhookView | null }) {
  const t = useTranslations('notifications.webhook');
  return (
    <Section
      title={t('title')}
      intro={t('intro')}
      action={webhook ? <StateChip tone={webhook.isEnabled ? 'ok' : 'idle'}>{t(webhook.isEnabled ? 'on' : 'paused')}</StateChip> : null}
    >
      {webhook ? (
        <WebhookCard webhook={webhook} />
      ) : (
        <EmptyState title={t('none')} example={t('example')} action={<ChangeWebhook webhook={null} />}>
          {t('noneBody')}
        </EmptyState>
      )}
    </Section>
  );
}

function WebhookCard({ webhook }: { webhook: WebhookView }) {
  const t = useTranslations('notifications');
  const nameOf = useKindName();
  const format = useFormatter();
  const { tenant } = useMe();
  const router = useRouter();
  const path = `/api/t/${tenant.slug}/notifications/webhook`;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5 text-ui">
        <dt className="text-muted-foreground">{t('webhook.url')}</dt>
        <dd className="font-mono break-all">{webhook.url}</dd>
        <dt className="text-muted-foreground">{t('webhook.kinds')}</dt>
        <dd>{webhook.kinds.map((kind) => nameOf(kind)).join(t('separator'))}</dd>
        {webhook.earlierSecretUntil === null ? null : (
          <>
            <dt className="text-muted-foreground">{t('webhook.earlier')}</dt>
            <dd>{t('webhook.earlierUntil', { time: format.dateTime(new Date(webhook.earlierSecretUntil), MOMENT) })}</dd>
          </>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        <TestWebhook path={`${path}/test`} />
        <ChangeWebhook webhook={webhook} />
        <NewSecret path={`${path}/secret`} />
        <ConfirmDialog
          trigger={
            <Button look="quiet" className="text-destructive">
              {t('webhook.remove.open')}
            </Button>
          }
          title={t('webhook.remove.title')}
          description={t('webhook.remove.body')}
          confirm={t('webhook.remove.confirm')}
          confirming={t('webhook.remove.busy')}
          keep={t('webhook.remove.keep')}
          onConfirm={() => requestDone(path, { method: 'DELETE' })}
          onDone={() => router.refresh()}
        />
      </div>
    </div>
  );
}

function TestWebhook({ path }: { path: string }) {
  const t = useTranslations('notifications.webhook.test');
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const [made, setMade] = useState<DeliveryView | null>(null);
  const test = async () => {
    setMade(null);
    await send(async () => setMade(await requestJson(path, deliveryView, { method: 'POST' })));
    router.refresh();
  };
  const attempt = made?.attempts.at(-1);
  const said = attempt ? t(attempt.ok ? 'arrived' : 'failed', { detail: attempt.detail, ms: attempt.durationMs }) : '';
  return (
    <>
      <Button disabled={isSending} onClick={() => void test()}>
        {isSending ? t('busy') : t('open')}
      </Button>
      <LiveRegion text={said} />
      {said === '' ? null : (
        <p className="order-last w-full text-ui">
          <StateChip tone={attempt?.ok ? 'ok' : 'error'} className="whitespace-normal">
            {said}
          </StateChip>
        </p>
      )}
      {failure ? <FailureNotice failure={failure} className="order-last w-full" /> : null}
    </>
  );
}

function ChangeWebhook({ webhook }: { webhook: WebhookView | null }) {
  const t = useTranslations('notifications.webhook');
  return (
    <MakeDialog
      trigger={<Button look={webhook ? 'outline' : 'primary'}>{webhook ? t('change') : t('add')}</Button>}
      words={{
        new: { title: webhook ? t('changeTitle') : t('addTitle'), body: t('formBody') },
        made: { title: t('secret.made'), body: t('secret.madeBody') },
        copy: t('secret.copy'),
        done: t('secret.done'),
      }}
      renderForm={(onMade, close) => <WebhookForm webhook={webhook} onMade={onMade} onDone={close} />}
    />
  );
}

function NewSecret({ path }: { path: string }) {
  const t = useTranslations('notifications.webhook.secret');
  return (
    <MakeDialog
      trigger={<Button>{t('open')}</Button>}
      words={{
        new: { title: t('title'), body: t('body') },
        made: { title: t('made'), body: t('madeBody') },
        copy: t('copy'),
        done: t('done'),
      }}
      renderForm={(onMade) => <RotateForm path={path} onMade={onMade} />}
    />
  );
}

function RotateForm({ path, onMade }: { path: string; onMade: (secret: string) => void }) {
  const t = useTranslations('notifications.webhook.secret');
  const { isSending, failure, send } = useSending();
  const rotate = () => send(async () => onMade((await requestJson(path, webhookResult, { method: 'POST' })).secret ?? ''));
  return (
    <div className="flex flex-col gap-3">
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex justify-end">
        <Button look="primary" disabled={isSending} onClick={() => void rotate()}>
          {isSending ? t('busy') : t('confirm')}
        </Button>
      </div>
    </div>
  );
}
