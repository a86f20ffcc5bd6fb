'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';

/** Signs out everywhere else, or everywhere. */
export function EndSignIns({ hasOthers }: { hasOthers: boolean }) {
  const t = useTranslations('account.sessions');
  const router = useRouter();
  const [isEnding, setIsEnding] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const end = async (query: string, then: () => void) => {
    setIsEnding(true);
    setFailure(null);
    try {
      await requestDone(`/api/account/sign-in-sessions${query}`, { method: 'DELETE' });
      then();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setIsEnding(false);
    }
  };
  return (
    <div className="mt-4 flex flex-col gap-3">
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex flex-wrap gap-2">
        {hasOthers ? (
          <Button look="danger" disabled={isEnding} onClick={() => void end('?keep=current', () => router.refresh())}>
            {t('endOthers')}
          </Button>
        ) : null}
        <Button disabled={isEnding} onClick={() => void end('', () => window.location.assign('/sign-in'))}>
          {t('endAll')}
        </Button>
      </div>
    </div>
  );
}
