'use client';

import { useTranslations } from 'next-intl';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { DocumentView } from '#lib/knowledge/contract.ts';

/** Somebody saved in between: their version beside one's own, and the choice. */
export function ConflictNotice({
  newest,
  onTakeTheirs,
  onKeepMine,
}: {
  newest: DocumentView;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}) {
  const t = useTranslations('knowledge.conflict');
  return (
    <div className="flex flex-col gap-3">
      <ErrorState
        cause={
          <>
            {t('cause', { version: newest.version })} <TimeAgo at={newest.updatedAt} />
          </>
        }
        nextStep={t('next')}
        action={
          <>
            <Button size="small" onClick={onKeepMine}>
              {t('keepMine')}
            </Button>
            <Button size="small" onClick={onTakeTheirs}>
              {t('takeTheirs')}
            </Button>
          </>
        }
      />
      <details className="text-ui">
        <summary className="text-muted-foreground">{t('show')}</summary>
        <pre className="mt-2 max-h-80 overflow-auto rounded-card border border-border bg-sunken p-3 font-mono text-meta whitespace-pre-wrap">
          {newest.body}
        </pre>
      </details>
    </div>
  );
}
