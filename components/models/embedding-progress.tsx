'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { DocumentSearchView } from '#lib/knowledge/contract.ts';

const LOOK_MS = 3_000;

/** By what documents are searched now and why, and how far the vectors are that are being made. */
export function EmbeddingProgress({ search }: { search: DocumentSearchView }) {
  const t = useTranslations('models.embedding');
  const router = useRouter();
  const { serving, reason, serves, builds } = search;
  const catchesUp = serves !== null && serves.embedded < serves.passages;
  const isMoving = builds !== null || catchesUp;
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => router.refresh(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isMoving, router]);
  const moving = builds ?? (catchesUp ? serves : null);
  const problem = builds?.problem ?? serves?.problem ?? null;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-center gap-2 text-chat font-semibold">
        <StateGlyph tone={serving === 'meaning' ? 'ok' : reason === 'failing' ? 'error' : 'idle'} />
        <span>{t(`serving.${serving}`)}</span>
      </p>
      <p className="max-w-[68ch] text-ui text-muted-foreground">
        {reason === 'serving'
          ? t('reasons.serving', { model: serves?.model ?? '', name: serves?.provider.name ?? '' })
          : t(`reasons.${reason}`)}
      </p>
      {moving ? (
        <div className="flex flex-col gap-1">
          <progress
            aria-label={t('progress', { model: moving.model })}
            className="h-1.5 w-full max-w-sm accent-primary"
            max={Math.max(1, moving.passages)}
            value={moving.embedded}
          />
          <p className="text-meta text-muted-foreground tabular">
            {t('embedded', { embedded: moving.embedded, passages: moving.passages, model: moving.model })}
          </p>
        </div>
      ) : null}
      {problem ? (
        <p className="max-w-[68ch] text-ui break-words text-destructive">
          {problem.message} <TimeAgo at={problem.at} />
        </p>
      ) : null}
    </div>
  );
}
