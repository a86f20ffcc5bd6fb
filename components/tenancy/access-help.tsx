'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { FailureActionScope } from '#components/api/failure-action-scope.tsx';
import type { RequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';

// Seen by few, and by those once something was refused.
const RequestAccess = lazy(() => import('./request-access.tsx').then(({ RequestAccess }) => ({ default: RequestAccess })));

/** Lets every failure for want of a permission be answered by a request for it. */
export function AccessHelp({ children }: { children: ReactNode }) {
  return <FailureActionScope value={actionFor}>{children}</FailureActionScope>;
}

function actionFor({ code, details }: RequestFailure): ReactNode {
  if (code !== 'permission_denied' || typeof details !== 'object' || details === null || !('permission' in details)) return null;
  return typeof details.permission === 'string' ? <RequestAccessButton permission={details.permission} /> : null;
}

/** Asks for a permission where something was refused for want of it. */
function RequestAccessButton({ permission }: { permission: string }) {
  const t = useTranslations('states.denied');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button size="small">{t('open')}</Button>
      </DialogTrigger>
      <DialogPanel title={t('dialog', { permission })}>
        <Suspense>
          <RequestAccess permission={permission} />
        </Suspense>
      </DialogPanel>
    </Dialog>
  );
}
