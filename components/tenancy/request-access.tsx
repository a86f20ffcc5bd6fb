'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import { type AccessRequestView, type PermissionView, permissionView } from '#lib/tenancy/contract.ts';

/** Who can give a permission, what became of the last request for it, and a new one. */
export function RequestAccess({ permission }: { permission: string }) {
  const t = useTranslations('states.denied');
  const format = useFormatter();
  const { tenant, ownRole } = useMe();
  const [known, setKnown] = useState<PermissionView | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const path = `/api/t/${tenant.slug}/permissions/${encodeURIComponent(permission)}`;
  useEffect(() => {
    const leaving = new AbortController();
    requestJson(path, permissionView, { signal: leaving.signal }).then(setKnown, (thrown: unknown) => {
      if (!leaving.signal.aborted) setFailure(toRequestFailure(thrown));
    });
    return () => leaving.abort();
  }, [path]);
  const look = () => void requestJson(path, permissionView).then(setKnown, (thrown: unknown) => setFailure(toRequestFailure(thrown)));
  if (failure) return <FailureNotice failure={failure} />;
  if (!known) return null;
  const { granters, request } = known;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ui text-muted-foreground">
        {granters.length > 0 ? t('granters', { names: format.list(granters.map(({ name }) => name)) }) : t('nobody')}
      </p>
      {request ? <Outcome request={request} onWithdrawn={look} isReadOnly={ownRole !== null} /> : null}
      {ownRole ? <p className="text-ui text-muted-foreground">{t('viewing')}</p> : null}
      {request?.state === 'OPEN' || ownRole ? null : <AskingForm permission={permission} onAsked={look} />}
    </div>
  );
}

function Outcome({ request, onWithdrawn, isReadOnly }: { request: AccessRequestView; onWithdrawn: () => void; isReadOnly: boolean }) {
  const t = useTranslations('states.denied');
  const { tenant } = useMe();
  const { isSending, failure, send } = useSending();
  const { id, state, note, decidedBy } = request;
  const withdraw = () =>
    send(async () => {
      await requestDone(`/api/t/${tenant.slug}/access-requests/${id}`, { method: 'PATCH', body: { decision: 'withdraw' } });
      onWithdrawn();
    });
  if (state === 'WITHDRAWN' || state === 'GRANTED') return null;
  return (
    <div role="status" className="flex flex-col items-start gap-1 border-s-2 border-border ps-3">
      <StateChip tone={state === 'OPEN' ? 'waiting' : 'stopped'}>{t(`outcomes.${state}`)}</StateChip>
      <p className="text-ui">
        {state === 'OPEN' ? (
          <>
            {t('asked')} <TimeAgo at={request.createdAt} />
          </>
        ) : (
          t('refused', { name: decidedBy?.name ?? '', note: note ?? '' })
        )}
      </p>
      {failure ? <FailureNotice failure={failure} /> : null}
      {state === 'OPEN' && !isReadOnly ? (
        <Button size="small" disabled={isSending} onClick={() => void withdraw()}>
          {t('withdraw')}
        </Button>
      ) : null}
    </div>
  );
}

function AskingForm({ permission, onAsked }: { permission: string; onAsked: () => void }) {
  const t = useTranslations('states.denied');
  const { tenant } = useMe();
  const { isSending, failure, send } = useSending();
  const [reason, setReason] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await send(async () => {
      const body = { permission, reason: reason.trim() };
      await requestDone(`/api/t/${tenant.slug}/access-requests`, { method: 'POST', body });
      onAsked();
    });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <Field label={t('reason')}>
        {(control) => (
          <Textarea {...control} rows={3} required maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
      {failure ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" look="primary" className="self-start" disabled={isSending || reason.trim() === ''}>
        {isSending ? t('sending') : t('send')}
      </Button>
    </form>
  );
}
