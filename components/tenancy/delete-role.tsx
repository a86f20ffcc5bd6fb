'use client';

import { Trash2Icon } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone, requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { type MemberView, memberPage, type RoleView } from '#lib/tenancy/contract.ts';

const SHOWN = 5;

/** Deletes a custom role that nobody has; says who has it where somebody does. */
export function DeleteRole({ role }: { role: RoleView }) {
  const t = useTranslations('people.roles.remove');
  const { tenant } = useMe();
  const router = useRouter();
  const trigger = (
    <Button look="quiet" size="squareSmall" aria-label={t('openNamed', { role: role.name })} title={t('open')}>
      <Trash2Icon aria-hidden />
    </Button>
  );
  const title = t('title', { role: role.name });
  if (role.memberCount > 0) {
    return (
      <Dialog>
        <DialogTrigger asChild>{trigger}</DialogTrigger>
        <DialogPanel title={title} description={t('inUse')}>
          <Holders role={role} />
        </DialogPanel>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      trigger={trigger}
      title={title}
      description={t('body')}
      confirm={t('confirm')}
      confirming={t('busy')}
      keep={t('keep')}
      onConfirm={() => requestDone(`/api/t/${tenant.slug}/roles/${role.id}`, { method: 'DELETE' })}
      onDone={() => router.refresh()}
    />
  );
}

function Holders({ role }: { role: RoleView }) {
  const t = useTranslations('people.roles.remove');
  const { tenant, permissions } = useMe();
  const maySeeThem = permissions.includes('member:read');
  const [holders, setHolders] = useState<readonly MemberView[]>([]);
  useEffect(() => {
    if (!maySeeThem) return undefined;
    const gone = new AbortController();
    const search = new URLSearchParams({ role: role.key, limit: String(SHOWN) });
    requestJson(`/api/t/${tenant.slug}/members?${search}`, memberPage, { signal: gone.signal }).then(
      ({ items }) => setHolders(items),
      // Who has it is a help: that somebody does is said without it.
      () => undefined,
    );
    return () => gone.abort();
  }, [maySeeThem, role.key, tenant.slug]);
  return (
    <div className="flex flex-col gap-2 text-ui">
      <ul>
        {holders.map((member) => (
          <li key={member.userId} className="flex flex-wrap gap-x-2">
            <span className="font-medium">{member.name}</span>
            <span className="text-muted-foreground">{member.email}</span>
          </li>
        ))}
      </ul>
      {role.memberCount > holders.length ? <p>{t('more', { count: role.memberCount - holders.length })}</p> : null}
      {maySeeThem ? (
        <Link
          href={`/${tenant.slug}/settings/members?role=${encodeURIComponent(role.key)}`}
          className="self-start text-primary underline underline-offset-2"
        >
          {t('toMembers')}
        </Link>
      ) : null}
    </div>
  );
}
