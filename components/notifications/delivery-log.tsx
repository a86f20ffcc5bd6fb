'use client';

import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Choice } from '#components/ui/choice.tsx';
import { PageLinks } from '#components/ui/page-links.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import { Time, TimeAgo } from '#components/ui/time.tsx';
import { type DeliveryPage, type DeliveryView, deliveryState } from '#lib/notifications/contract.ts';
import { useKindName } from './use-kind-name.ts';

const TONES: { readonly [State in DeliveryView['state']]: Tone } = {
  PENDING: 'queued',
  DELIVERED: 'ok',
  WITHDRAWN: 'idle',
  DEAD: 'error',
};

interface DeliveryLogProps {
  page: DeliveryPage;
  /** What the list is narrowed to; null: nothing. */
  state: DeliveryView['state'] | null;
  isFirst: boolean;
}

/** What was sent to whom, and how each attempt went. */
export function DeliveryLog({ page, state, isFirst }: DeliveryLogProps) {
  const t = useTranslations('notifications.log');
  const { tenant } = useMe();
  const router = useRouter();
  const base = `/${tenant.slug}/settings/notifications`;
  const narrowed = state === null ? base : `${base}?state=${state}`;
  const next = page.nextCursor === null ? null : `${narrowed}${state === null ? '?' : '&'}cursor=${page.nextCursor}`;
  return (
    <Section
      title={t('title')}
      intro={t('intro')}
      action={
        page.items.length > 0 || state !== null ? (
          <Choice
            label={t('state')}
            value={state}
            any={t('any')}
            options={deliveryState.options.map((each) => [each, t(`states.${each}`)] as const)}
            onChoose={(chosen) => router.replace(chosen === null ? base : `${base}?state=${chosen}`, { scroll: false })}
          />
        ) : null
      }
    >
      {page.items.length === 0 ? (
        <p className="text-ui text-muted-foreground">{state === null ? t('none') : t('nothing')}</p>
      ) : (
        <ul className="border-t border-border">
          {page.items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <PageLinks first={isFirst ? null : narrowed} next={next} words={{ first: t('newest'), next: t('older') }} />
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryView }) {
  const t = useTranslations('notifications');
  const nameOf = useKindName();
  const format = useFormatter();
  const { tenant } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const { id, kind, channel, recipient, state, createdAt, nextAttemptAt, attempts } = delivery;
  const to = channel === 'webhook' ? t('log.toWebhook') : t('log.toMail', { name: recipient?.name ?? '' });
  const again = async () => {
    await send(() => requestDone(`/api/t/${tenant.slug}/notifications/deliveries/${id}/redeliver`, { method: 'POST' }));
    router.refresh();
  };
  return (
    <li className="flex flex-col gap-1 border-b border-border py-2">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-56 text-ui">
          {nameOf(kind)} <span className="text-muted-foreground">{to}</span>
        </span>
        <span className="text-meta text-muted-foreground">
          <TimeAgo at={createdAt} />
        </span>
        <StateChip tone={TONES[state]}>{t(`log.states.${state}`)}</StateChip>
        {state === 'PENDING' ? null : (
          <Button
            look="quiet"
            size="small"
            disabled={isSending}
            aria-label={t('log.againNamed', { kind: nameOf(kind), to })}
            onClick={() => void again()}
          >
            {t('log.again')}
          </Button>
        )}
      </div>
      {attempts.length === 0 ? null : (
        <details className="text-meta text-muted-foreground">
          <summary className="touchable w-fit cursor-pointer">
            {t('log.attempts', { count: attempts.length })}
            {nextAttemptAt === null
              ? null
              : ` · ${t('log.next', { time: format.dateTime(new Date(nextAttemptAt), { timeStyle: 'medium' }) })}`}
          </summary>
          <ol className="mt-1 flex flex-col gap-1 ps-4">
            {attempts.map(({ at, ok, detail, durationMs }, index) => (
              <li key={at} className="break-words">
                <Time at={at} /> · {t(ok ? 'log.ok' : 'log.failed', { ordinal: index + 1, ms: durationMs })} ·{' '}
                <span className="font-mono">{detail}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
      {failure ? <FailureNotice failure={failure} /> : null}
    </li>
  );
}
