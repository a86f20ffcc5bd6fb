'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { Button } from '#components/ui/button.tsx';
import { Time, TimeAgo } from '#components/ui/time.tsx';
import type { ProgramView } from '#lib/oauth/contract.ts';

/** Programs that the person has let in, and how to end that. */
export function OwnPrograms({ programs }: { programs: readonly ProgramView[] }) {
  const t = useTranslations('account.programs');
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const [ending, setEnding] = useState<string | null>(null);
  const end = async (id: string) => {
    setEnding(id);
    if (await send(() => requestDone(`/api/account/programs/${id}`, { method: 'DELETE' }))) router.refresh();
    setEnding(null);
  };
  if (programs.length === 0) return <p className="text-ui text-muted-foreground">{t('none')}</p>;
  return (
    <>
      {failure ? <FailureNotice failure={failure} className="mb-3" /> : null}
      <ul className="border-t border-border">
        {programs.map(({ id, name, workspace, allowedAt, lastUsedAt }) => (
          <li key={id} className="flex items-center gap-4 border-b border-border py-2.5">
            <div className="min-w-0 flex-1">
              <p className="text-ui font-medium break-words">{name}</p>
              <p className="text-meta text-muted-foreground">
                {t('in', { workspace })}
                {' · '}
                {t('allowed')} <Time at={allowedAt} look="day" />
                {' · '}
                {lastUsedAt ? (
                  <>
                    {t('used')} <TimeAgo at={lastUsedAt} />
                  </>
                ) : (
                  t('never')
                )}
              </p>
            </div>
            <Button size="small" look="danger" disabled={isSending} onClick={() => void end(id)}>
              {ending === id ? t('ending') : t('end')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
