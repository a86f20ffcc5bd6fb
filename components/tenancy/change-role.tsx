'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { MemberView, PermissionName, RoleView } from '#lib/tenancy/contract.ts';
import { compareRights } from './permission-groups.ts';
import { useRoleName } from './use-role-name.ts';

/** Gives a member another role, after it has said what they gain and lose by it. */
export function ChangeRole({
  member,
  roles,
  onSaved,
}: {
  member: MemberView;
  roles: readonly RoleView[];
  onSaved: (text: string) => void;
}) {
  const t = useTranslations('people.members.change');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button look="quiet" size="small" aria-label={t('openNamed', { name: member.name })}>
          {t('open')}
        </Button>
      </DialogTrigger>
      <DialogPanel title={t('title', { name: member.name })} description={t('body', { name: member.name })}>
        <RoleForm
          member={member}
          roles={roles}
          onDone={(text) => {
            setIsOpen(false);
            onSaved(text);
          }}
        />
      </DialogPanel>
    </Dialog>
  );
}

function RoleForm({ member, roles, onDone }: { member: MemberView; roles: readonly RoleView[]; onDone: (text: string) => void }) {
  const t = useTranslations('people.members.change');
  const roleName = useRoleName();
  const { tenant, permissions } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const [chosen, setChosen] = useState(member.role.key);
  const rightsOf = (key: string) => roles.find((role) => role.key === key)?.permissions ?? [];
  const { gains, loses } = compareRights(rightsOf(member.role.key), rightsOf(chosen));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const role = roles.find(({ key }) => key === chosen);
    const path = `/api/t/${tenant.slug}/members/${member.userId}`;
    if (!role || !(await send(() => requestDone(path, { method: 'PATCH', body: { roleKey: chosen } })))) return;
    router.refresh();
    onDone(t('saved', { name: member.name, role: roleName(role) }));
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{t('choose')}</legend>
        {roles.map((role) => {
          const isAbove = role.permissions.some((permission) => !permissions.includes(permission));
          return (
            <label
              key={role.key}
              className={joinClasses(
                'touchable flex min-h-8 items-center gap-2.5 rounded-control border px-2.5 py-1 text-ui',
                chosen === role.key ? 'border-primary bg-primary/8' : 'border-transparent hover:bg-foreground/4',
                isAbove && 'text-muted-foreground',
              )}
            >
              <input
                type="radio"
                name="role"
                value={role.key}
                checked={chosen === role.key}
                disabled={isAbove}
                onChange={() => setChosen(role.key)}
                className="size-4 shrink-0 accent-primary"
              />
              <span className="min-w-0 flex-1 break-words">
                {role.key === member.role.key ? t('current', { role: roleName(role) }) : roleName(role)}
              </span>
              {isAbove ? <span className="text-meta">{t('above')}</span> : null}
            </label>
          );
        })}
      </fieldset>
      {chosen === member.role.key ? null : (
        <dl aria-live="polite" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-t border-border pt-3 text-ui">
          <dt className="text-muted-foreground">{t('gains')}</dt>
          <dd>{gains.length > 0 ? <Rights permissions={gains} sign="+" /> : t('nothing')}</dd>
          <dt className="text-muted-foreground">{t('loses')}</dt>
          <dd>{loses.length > 0 ? <Rights permissions={loses} sign="−" /> : t('nothing')}</dd>
        </dl>
      )}
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button look="quiet">{t('keep')}</Button>
        </DialogClose>
        <Button type="submit" look="primary" disabled={isSending || chosen === member.role.key}>
          {isSending ? t('saving') : t('save')}
        </Button>
      </div>
    </form>
  );
}

function Rights({ permissions, sign }: { permissions: readonly PermissionName[]; sign: string }) {
  const t = useTranslations('people.permissions');
  return (
    <ul className="flex flex-wrap gap-x-3">
      {permissions.map((permission) => (
        <li key={permission} title={t(permission)}>
          <code className="font-mono text-meta">
            {sign}
            {permission}
          </code>
        </li>
      ))}
    </ul>
  );
}
