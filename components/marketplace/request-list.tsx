'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import { Time } from '#components/ui/time.tsx';
import type { PluginRequestView } from '#lib/plugins/contract.ts';

const TONES: { readonly [State in PluginRequestView['state']]: Tone } = {
  OPEN: 'waiting',
  APPROVED: 'ok',
  REFUSED: 'stopped',
  WITHDRAWN: 'stopped',
};

/** Requests for plugins: everyone's for those who may install, else one's own. */
export function RequestList({ requests }: { requests: readonly PluginRequestView[] }) {
  const t = useTranslations('marketplace.requests');
  const locale = useLocale();
  const { user } = useMe();
  return (
    <ul aria-label={t('label')} className="divide-y divide-border border-b border-border">
      {requests.map((request) => {
        const plugin = request.pluginName[locale];
        return (
          <li key={request.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <h2 className="text-ui font-semibold">
                {request.requester.id === user.id ? t('mine', { plugin }) : t('asks', { name: request.requester.name, plugin })}
              </h2>
              <p className="max-w-[72ch] text-ui break-words">{t('said', { note: request.reason })}</p>
              <p className="flex flex-wrap gap-x-3 text-meta text-muted-foreground">
                <Time at={request.createdAt} />
                {request.note ? <span>{t('said', { note: request.note })}</span> : null}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <StateChip tone={TONES[request.state]}>
                {request.decidedBy && request.state !== 'WITHDRAWN'
                  ? t('decided', { state: t(`states.${request.state}`), name: request.decidedBy.name })
                  : t(`states.${request.state}`)}
              </StateChip>
              {request.state === 'OPEN' ? <Decisions request={request} /> : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Decisions({ request }: { request: PluginRequestView }) {
  const t = useTranslations('marketplace.requests');
  const router = useRouter();
  const { tenant, user, permissions } = useMe();
  const [note, setNote] = useState('');
  const [isWorking, setIsWorking] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const decide = (body: { decision: 'refuse' | 'withdraw'; note?: string }) =>
    requestDone(`/api/t/${tenant.slug}/marketplace/requests/${request.id}`, { method: 'PATCH', body });
  const withdraw = async () => {
    setIsWorking(true);
    setFailure(null);
    try {
      await decide({ decision: 'withdraw' });
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setIsWorking(false);
  };
  return (
    <>
      {permissions.includes('plugin:install') ? (
        <>
          <Link href={`/${tenant.slug}/marketplace/${request.pluginId}`} className={buttonClasses({ look: 'primary', size: 'small' })}>
            {t('review')}
          </Link>
          <ConfirmDialog
            trigger={<Button size="small">{t('refuse')}</Button>}
            title={t('refuseTitle')}
            description={t('refuseBody', { name: request.requester.name })}
            confirm={t('confirm')}
            confirming={t('confirming')}
            keep={t('keep')}
            onConfirm={() => decide({ decision: 'refuse', note })}
            onDone={() => router.refresh()}
          >
            <Field label={t('note')}>
              {(control) => (
                <Textarea {...control} rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
              )}
            </Field>
          </ConfirmDialog>
        </>
      ) : null}
      {request.requester.id === user.id ? (
        <Button size="small" disabled={isWorking} onClick={() => void withdraw()}>
          {t('withdraw')}
        </Button>
      ) : null}
      {failure ? <FailureNotice failure={failure} /> : null}
    </>
  );
}
