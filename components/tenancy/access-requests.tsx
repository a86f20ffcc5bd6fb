'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select, Textarea } from '#components/ui/input.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { Section } from '#components/ui/section.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { AccessRequestView } from '#lib/tenancy/contract.ts';
import { useRoleName } from './use-role-name.ts';

/** What members have asked for and nobody has decided: granted with one press, or refused with a reason. */
export function AccessRequests({ requests }: { requests: readonly AccessRequestView[] }) {
  const t = useTranslations('people.requests');
  const [said, setSaid] = useState('');
  return (
    <>
      <LiveRegion text={said} />
      {requests.length > 0 ? (
        <Section title={t('title')} intro={t('intro')}>
          <ul aria-label={t('title')} className="border-t border-border">
            {requests.map((request) => (
              <RequestRow key={request.id} request={request} onSaid={setSaid} />
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function RequestRow({ request, onSaid }: { request: AccessRequestView; onSaid: (text: string) => void }) {
  const t = useTranslations('people.requests');
  const permissionName = useTranslations('people.permissions');
  const roleName = useRoleName();
  const { requester, role, permission, reason, createdAt } = request;
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-b border-border py-3">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-ui font-medium">{t('asks', { name: requester.name, role: role ? roleName(role) : '' })}</h3>
        <p className="text-ui">
          {permissionName(permission)} <code className="font-mono text-meta text-muted-foreground">{permission}</code>
        </p>
        <p className="max-w-[72ch] text-ui break-words text-muted-foreground">
          {t('said', { reason })} · <TimeAgo at={createdAt} />
        </p>
      </div>
      <Decision request={request} onSaid={onSaid} />
    </li>
  );
}

function Decision({ request, onSaid }: { request: AccessRequestView; onSaid: (text: string) => void }) {
  const t = useTranslations('people.requests');
  const roleName = useRoleName();
  const router = useRouter();
  const { tenant } = useMe();
  const { isSending, failure, send } = useSending();
  const [roleKey, setRoleKey] = useState(request.grants[0]?.key ?? '');
  const [note, setNote] = useState('');
  const chosen = request.grants.find(({ key }) => key === roleKey) ?? request.grants[0];
  const { name } = request.requester;
  const decide = (body: Record<string, string>) =>
    requestDone(`/api/t/${tenant.slug}/access-requests/${request.id}`, { method: 'PATCH', body });
  const grant = async (role: NonNullable<typeof chosen>) => {
    if (!(await send(() => decide({ decision: 'grant', roleKey: role.key })))) return;
    onSaid(t('granted', { name, role: roleName(role) }));
    router.refresh();
  };
  const others = chosen?.gains.filter((gained) => gained !== request.permission) ?? [];
  return (
    <div className="flex basis-80 flex-col items-start gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        {chosen ? (
          <Button look="primary" size="small" disabled={isSending} onClick={() => void grant(chosen)}>
            {t('grant', { role: roleName(chosen) })}
          </Button>
        ) : null}
        {request.grants.length > 1 ? (
          <Select
            aria-label={t('otherRole', { name })}
            value={chosen?.key ?? ''}
            onChange={(event) => setRoleKey(event.target.value)}
            className="h-7 w-auto"
          >
            {request.grants.map((role) => (
              <option key={role.key} value={role.key}>
                {roleName(role)}
              </option>
            ))}
          </Select>
        ) : null}
        <ConfirmDialog
          trigger={
            <Button size="small" aria-label={t('refuse.openNamed', { name })}>
              {t('refuse.open')}
            </Button>
          }
          title={t('refuse.title', { name })}
          description={t('refuse.body')}
          confirm={t('refuse.confirm')}
          confirming={t('refuse.busy')}
          keep={t('refuse.keep')}
          isReady={note.trim() !== ''}
          onConfirm={() => decide({ decision: 'refuse', note })}
          onDone={() => {
            onSaid(t('refused', { name }));
            router.refresh();
          }}
        >
          <Field label={t('refuse.note')}>
            {(control) => (
              <Textarea {...control} rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
            )}
          </Field>
        </ConfirmDialog>
      </div>
      <p className="text-meta break-words text-muted-foreground">
        {chosen ? (
          <>
            {others.length > 0 ? t('gains', { permissions: others.join(', ') }) : t('gainsNothing')}
            {chosen.loses.length > 0 ? ` ${t('loses', { permissions: chosen.loses.join(', ') })}` : null}
          </>
        ) : (
          t('noRole')
        )}
      </p>
      {failure ? <FailureNotice failure={failure} /> : null}
    </div>
  );
}
