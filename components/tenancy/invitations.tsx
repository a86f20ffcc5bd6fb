'use client';

import { useRouter } from 'next/navigation';
import { useNow, useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { Time } from '#components/ui/time.tsx';
import type { InvitationPage, InvitationView, RoleView } from '#lib/tenancy/contract.ts';
import { NewInvitation } from './new-invitation.tsx';
import { useRoleName } from './use-role-name.ts';

/** The links by which people may come in, and what became of them. */
export function Invitations({ page, roles }: { page: InvitationPage; roles: readonly RoleView[] }) {
  const t = useTranslations('people.invitations');
  const { tenant } = useMe();
  const isEmpty = page.items.length === 0;
  return (
    <Section title={t('title')} intro={t('lead')} action={isEmpty ? null : <NewInvitation roles={roles} look="outline" />}>
      {isEmpty ? (
        <EmptyState title={t('none')} action={<NewInvitation roles={roles} look="primary" />} className="py-2">
          {t('noneBody')}
        </EmptyState>
      ) : (
        <ul aria-label={t('label', { tenant: tenant.name })} className="border-t border-border">
          {page.items.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function InvitationRow({ invitation }: { invitation: InvitationView }) {
  const t = useTranslations('people.invitations');
  const roleName = useRoleName();
  const { tenant } = useMe();
  const router = useRouter();
  const now = useNow();
  const name = invitation.note || t('anyone');
  const isOpen = !invitation.acceptedAt && !invitation.revokedAt && new Date(invitation.expiresAt) > now;
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2 text-ui">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-meta text-muted-foreground">{t('by', { name: invitation.invitedBy })}</p>
      </div>
      <span className="min-w-20 break-words sm:w-28">{roleName(invitation.role)}</span>
      <span className="w-44 text-meta">
        {isOpen ? (
          <>
            <StateChip tone="waiting">{t('open')}</StateChip>
            <span className="block text-muted-foreground">
              {t('expires')} <Time at={invitation.expiresAt} look="day" />
            </span>
          </>
        ) : invitation.acceptedAt ? (
          <StateChip tone="ok" className="whitespace-normal">
            {t('used', { name: invitation.acceptedBy ?? '' })}
          </StateChip>
        ) : (
          <StateChip tone="stopped">{invitation.revokedAt ? t('revoked') : t('expired')}</StateChip>
        )}
      </span>
      <span className="w-24 text-end max-md:text-start">
        {isOpen ? (
          <ConfirmDialog
            trigger={
              <Button look="quiet" size="small" className="text-destructive" aria-label={t('revoke.openNamed', { name })}>
                {t('revoke.open')}
              </Button>
            }
            title={t('revoke.title')}
            description={t('revoke.body')}
            confirm={t('revoke.confirm')}
            confirming={t('revoke.busy')}
            keep={t('revoke.keep')}
            onConfirm={() => requestDone(`/api/t/${tenant.slug}/invitations/${invitation.id}`, { method: 'DELETE' })}
            onDone={() => router.refresh()}
          />
        ) : null}
      </span>
    </li>
  );
}
