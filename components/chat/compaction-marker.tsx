'use client';

import { FoldVerticalIcon, PinIcon } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { Button } from '#components/ui/button.tsx';
import type { CompactionView } from '#lib/conversations/contract.ts';
import { Fold } from './fold.tsx';
import { Markdown } from './markdown.tsx';

interface CompactionMarkerProps {
  compaction: CompactionView;
  /** Messages that may be kept from now on, by the run that answered them; absent where nobody may. */
  pins?: ReadonlyMap<string, { readonly isPinned: boolean; readonly toggle: () => void }> | undefined;
}

/** Where a part of the conversation left the model's room: how much, what it came to, and what is kept the next time. */
export function CompactionMarker({ compaction, pins }: CompactionMarkerProps) {
  const t = useTranslations('chat.compaction');
  const format = useFormatter();
  const tokens = (count: number) => format.number(count, { notation: 'compact', maximumFractionDigits: 1 });
  const { turns, stepCount, summary, progress, tokensBefore, tokensAfter, source } = compaction;
  return (
    <div className="border-y border-dashed border-border" data-compaction="">
      <Fold
        label={
          <>
            <FoldVerticalIcon aria-hidden className="size-3.5 shrink-0" />
            <span className="min-w-0 truncate">
              {turns.length > 0 ? t('turns', { count: turns.length }) : t('steps', { count: stepCount })}
            </span>
            <span className="ms-auto shrink-0 text-meta tabular">
              {t('tokens', { before: tokens(tokensBefore), after: tokens(tokensAfter) })}
            </span>
          </>
        }
      >
        <div className="flex flex-col gap-3 text-ui">
          {[summary, progress].map((text, index) =>
            text === null ? null : (
              <section key={index === 0 ? 'summary' : 'progress'}>
                <h3 className="pb-1 text-meta font-medium text-muted-foreground">{t(index === 0 ? 'summary' : 'progress')}</h3>
                <Markdown text={text} />
              </section>
            ),
          )}
          {source === 'extract' ? <p className="text-meta text-muted-foreground">{t('extract')}</p> : null}
          {turns.length > 0 ? (
            <section>
              <h3 className="pb-1 text-meta font-medium text-muted-foreground">{t('left')}</h3>
              <ul className="flex flex-col">
                {turns.map(({ runId, asked }) => {
                  const pin = pins?.get(runId);
                  return (
                    <li key={runId} className="flex min-h-8 items-center gap-2 border-t border-border first:border-t-0">
                      <span className="min-w-0 flex-1 truncate">{asked}</span>
                      {pin ? (
                        <Button look="quiet" size="small" aria-pressed={pin.isPinned} onClick={pin.toggle}>
                          <PinIcon aria-hidden className={pin.isPinned ? 'fill-current' : undefined} />
                          {t(pin.isPinned ? 'pinned' : 'pin')}
                        </Button>
                      ) : null}
                    </li>
                  );
                })}
              </ul>
              <p className="pt-1 text-meta text-muted-foreground">{t('pinHint')}</p>
            </section>
          ) : null}
        </div>
      </Fold>
    </div>
  );
}
