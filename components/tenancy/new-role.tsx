'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactElement, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import type { RoleView } from '#lib/tenancy/contract.ts';
import { useRoleName } from './use-role-name.ts';

interface NewRoleProps {
  roles: readonly RoleView[];
  /** The role to be copied; null for a new one. */
  from: RoleView | null;
  trigger: ReactElement;
}

/** Makes a custom role out of another one, or out of next to nothing. What the maker lacks is left out, and said. */
export function NewRole({ roles, from, trigger }: NewRoleProps) {
  const t = useTranslations('people.roles.new');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel title={t('title')}>
        <NewRoleForm roles={roles} from={from} onDone={() => setIsOpen(false)} />
      </DialogPanel>
    </Dialog>
  );
}

function NewRoleForm({ roles, from, onDone }: { roles: readonly RoleView[]; from: RoleView | null; onDone: () => void }) {
  const t = useTranslations('people.roles.new');
  const roleName = useRoleName();
  const { tenant, permissions: own } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const [name, setName] = useState(from ? t('copyTitle', { role: roleName(from) }) : '');
  const [fromKey, setFromKey] = useState(from?.key ?? '');
  const wanted = roles.find(({ key }) => key === fromKey)?.permissions ?? ['tenant:read'];
  const left = wanted.filter((permission) => !own.includes(permission));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = { name, permissions: wanted.filter((permission) => own.includes(permission)) };
    if (!(await send(() => requestDone(`/api/t/${tenant.slug}/roles`, { method: 'POST', body })))) return;
    router.refresh();
    onDone();
  };
  const isTaken = failure?.code === 'role_exists';
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('name')} problem={isTaken ? t('taken') : undefined}>
        {(control) => <Input {...control} required maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label={t('from')} hint={left.length > 0 ? t('left', { permissions: left.join(', ') }) : undefined}>
        {(control) => (
          <Select {...control} value={fromKey} onChange={(event) => setFromKey(event.target.value)}>
            <option value="">{t('nothing')}</option>
            {roles.map((role) => (
              <option key={role.key} value={role.key}>
                {roleName(role)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {failure && !isTaken ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" look="primary" disabled={isSending} className="self-end">
        {isSending ? t('saving') : t('save')}
      </Button>
    </form>
  );
}
