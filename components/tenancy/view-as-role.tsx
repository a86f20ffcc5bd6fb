'use client';

import { EyeIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';

interface ViewAsRoleProps {
  roleId: string;
  /** As the reader knows it. */
  name: string;
  onFailed: (thrown: unknown) => void;
}

/** Opens the workspace as somebody with the role sees it. */
export function ViewAsRole({ roleId, name, onFailed }: ViewAsRoleProps) {
  const t = useTranslations('people.roles');
  const { tenant } = useMe();
  const begin = () =>
    requestDone(`/api/t/${tenant.slug}/role-view`, { method: 'PUT', body: { roleId } }).then(
      // As a whole: whatever is on the page was read with other rights.
      () => window.location.assign(`/${tenant.slug}`),
      onFailed,
    );
  return (
    <Button look="quiet" size="squareSmall" aria-label={t('viewAsNamed', { role: name })} title={t('viewAs')} onClick={() => void begin()}>
      <EyeIcon aria-hidden />
    </Button>
  );
}
