'use client';

import { EyeIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useRoleName } from '#components/tenancy/use-role-name.ts';
import { Button } from '#components/ui/button.tsx';
import { useMe } from './me-scope.tsx';

/** Says, as long as it is so, that the workspace is looked at as another role sees it, and ends that. */
export function RoleViewBar() {
  const t = useTranslations('shell.roleView');
  const roleName = useRoleName();
  const { tenant, role, ownRole } = useMe();
  const { isSending, failure, send } = useSending();
  if (!ownRole) return null;
  const end = async () => {
    // As a whole: whatever is on the page was read with the rights of the other role.
    if (await send(() => requestDone(`/api/t/${tenant.slug}/role-view`, { method: 'DELETE' })))
      window.location.assign(`/${tenant.slug}/settings/roles`);
  };
  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b-2 border-waiting bg-sunken px-4 py-1.5 text-ui"
    >
      <EyeIcon aria-hidden className="size-4 shrink-0 text-waiting" />
      <p className="min-w-0 flex-1 basis-60">
        <strong className="font-medium">{t('as', { role: roleName(role) })}</strong> {t('readOnly')}
      </p>
      <Button size="small" disabled={isSending} onClick={() => void end()}>
        {isSending ? t('ending') : t('end', { role: roleName(ownRole) })}
      </Button>
      {failure ? <FailureNotice failure={failure} /> : null}
    </section>
  );
}
