'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/state-chip.tsx';
import { Time, TimeAgo } from '#components/ui/time.tsx';
import type { SignInSessionView } from '#lib/tenancy/contract.ts';
import { browserOf } from './browser-of.ts';

/** Where the person is signed in, and how to end it there. */
export function SignInSessions({ sessions }: { sessions: readonly SignInSessionView[] }) {
  const t = useTranslations('account.sessions');
  const router = useRouter();
  const [ending, setEnding] = useState<string | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const end = async (id: string) => {
    setEnding(id);
    setFailure(null);
    try {
      await requestDone(`/api/account/sign-in-sessions/${id}`, { method: 'DELETE' });
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setEnding(null);
    }
  };
  return (
    <>
      {failure ? <FailureNotice failure={failure} className="mb-3" /> : null}
      <ul className="border-t border-border">
        {sessions.map((session) => {
          const browser = browserOf(session.userAgent);
          return (
            <li key={session.id} className="flex items-center gap-4 border-b border-border py-2.5">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2 text-ui font-medium">
                  {browser === null ? t('unknown') : t('browser', browser)}
                  {session.isCurrent ? <Badge>{t('current')}</Badge> : null}
                </p>
                <p className="text-meta text-muted-foreground">
                  {t('seen')} <TimeAgo at={session.lastSeenAt} />
                  {' · '}
                  {t('since')} <Time at={session.createdAt} look="day" />
                  {session.ip ? ` · ${session.ip}` : ''}
                </p>
              </div>
              {session.isCurrent ? null : (
                <Button size="small" look="danger" disabled={ending === session.id} onClick={() => void end(session.id)}>
                  {ending === session.id ? t('ending') : t('end')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
