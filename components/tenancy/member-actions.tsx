'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import type { MemberView, RoleView } from '#lib/tenancy/contract.ts';
import { ChangeRole } from './change-role.tsx';
import { ResetLink } from './reset-link.tsx';

interface MemberActionsProps {
  member: MemberView;
  roles: readonly RoleView[];
  onSaved: (text: string) => void;
}

/** What whoever manages members can do with one of them. */
export function MemberActions({ member, roles, onSaved }: MemberActionsProps) {
  const t = useTranslations('people.members');
  const { tenant } = useMe();
  const router = useRouter();
  const { name } = member;
  const path = `/api/t/${tenant.slug}/members/${member.userId}`;
  return (
    <>
      {roles.length > 0 ? <ChangeRole member={member} roles={roles} onSaved={onSaved} /> : null}
      <ResetLink name={name} path={`${path}/password-reset`} />
      {member.disabledAt === null ? (
        <ConfirmDialog
          trigger={
            <Button look="quiet" size="small" aria-label={t('lock.openNamed', { name })}>
              {t('lock.open')}
            </Button>
          }
          title={t('lock.title', { name })}
          description={t('lock.body', { name })}
          confirm={t('lock.confirm')}
          confirming={t('lock.busy')}
          keep={t('lock.keep')}
          onConfirm={() => requestDone(path, { method: 'PATCH', body: { disabled: true } })}
          onDone={() => router.refresh()}
        />
      ) : (
        <LetIn name={name} onLetIn={() => requestDone(path, { method: 'PATCH', body: { disabled: false } }).then(() => router.refresh())} />
      )}
      <ConfirmDialog
        trigger={
          <Button look="quiet" size="small" className="text-destructive" aria-label={t('remove.openNamed', { name })}>
            {t('remove.open')}
          </Button>
        }
        title={t('remove.title', { name })}
        description={t('remove.body')}
        confirm={t('remove.confirm')}
        confirming={t('remove.busy')}
        keep={t('remove.keep')}
        onConfirm={() => requestDone(path, { method: 'DELETE' })}
        onDone={() => router.refresh()}
      />
    </>
  );
}

function LetIn({ name, onLetIn }: { name: string; onLetIn: () => Promise<void> }) {
  const t = useTranslations('people.members.unlock');
  const { isSending, failure, send } = useSending();
  return (
    <>
      <Button look="quiet" size="small" disabled={isSending} onClick={() => void send(onLetIn)} aria-label={t('openNamed', { name })}>
        {isSending ? t('busy') : t('open')}
      </Button>
      {failure ? <FailureNotice failure={failure} /> : null}
    </>
  );
}
