'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { createInvitationResult, type RoleView } from '#lib/tenancy/contract.ts';
import { MakeDialog } from './make-dialog.tsx';
import { useRoleName } from './use-role-name.ts';

const OPEN_FOR_DAYS = [1, 7, 30] as const;

/** Makes an invitation, and shows its link the one time it can be shown. */
export function NewInvitation({ roles, look }: { roles: readonly RoleView[]; look: 'primary' | 'outline' }) {
  const t = useTranslations('people.invitations');
  return (
    <MakeDialog
      trigger={<Button look={look}>{t('add')}</Button>}
      words={{
        new: { title: t('new.title'), body: t('new.body') },
        made: { title: t('made.title'), body: t('made.body') },
        copy: t('made.copy'),
        done: t('made.done'),
      }}
      renderForm={(onMade) => <InvitationForm roles={roles} onMade={onMade} />}
    />
  );
}

function InvitationForm({ roles, onMade }: { roles: readonly RoleView[]; onMade: (url: string) => void }) {
  const t = useTranslations('people.invitations.new');
  const roleName = useRoleName();
  const { tenant, permissions: own } = useMe();
  const { isSending, failure, send } = useSending();
  const [roleKey, setRoleKey] = useState('member');
  const [note, setNote] = useState('');
  const [days, setDays] = useState('7');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await send(async () => {
      const body = { roleKey, note, expiresInDays: Number(days) };
      onMade((await requestJson(`/api/t/${tenant.slug}/invitations`, createInvitationResult, { method: 'POST', body })).url);
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('role')}>
        {(control) => (
          <Select {...control} value={roleKey} onChange={(event) => setRoleKey(event.target.value)}>
            {roles.map((role) => {
              const isAbove = role.permissions.some((permission) => !own.includes(permission));
              return (
                <option key={role.key} value={role.key} disabled={isAbove}>
                  {isAbove ? t('above', { role: roleName(role) }) : roleName(role)}
                </option>
              );
            })}
          </Select>
        )}
      </Field>
      <Field label={t('note')} hint={t('noteHint')}>
        {(control) => (
          <Input {...control} maxLength={120} autoComplete="off" value={note} onChange={(event) => setNote(event.target.value)} />
        )}
      </Field>
      <Field label={t('days')}>
        {(control) => (
          <Select {...control} value={days} onChange={(event) => setDays(event.target.value)}>
            {OPEN_FOR_DAYS.map((count) => (
              <option key={count} value={count}>
                {t('dayCount', { days: count })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {failure ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" look="primary" disabled={isSending} className="self-end">
        {isSending ? t('saving') : t('save')}
      </Button>
    </form>
  );
}
