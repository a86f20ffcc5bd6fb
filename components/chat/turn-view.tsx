'use client';

import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { memo, useCallback, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Time } from '#components/ui/time.tsx';
import type { RunSummaryView } from '#lib/supervisor/contract.ts';
import { Answer } from './answer.tsx';
import { hasChinese } from './markdown.tsx';
import type { ProgressStore } from './progress-store.ts';
import type { Turn } from './turns.ts';

interface TurnViewProps {
  turn: Turn;
  tenantSlug: string;
  store: ProgressStore;
  summaries: ReadonlyMap<string, RunSummaryView>;
  queuePlaces: ReadonlyMap<string, number>;
  canWrite: boolean;
  isPinned: boolean;
  /** Far enough up that the browser may leave it unpainted. */
  isSettled: boolean;
  retryingRunId: string | null;
  onRetry: (runId: string, text: string) => void;
}

/** A message and its answer; after a retry, the earlier answers stay one step away. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { turn, isPinned, isSettled } = props;
  const newest = turn.attempts.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = Math.min(chosen ?? newest, newest);
  const attempt = turn.attempts[shown];
  const { onRetry } = props;
  const runId = attempt?.runId;
  const retry = useCallback(() => {
    if (runId !== undefined) onRetry(runId, turn.message.text);
  }, [onRetry, runId, turn.message.text]);
  return (
    <article id={turn.message.id} className={joinClasses('scroll-mt-3 pb-8', isPinned && 'turn-pinned', isSettled && 'turn-settled')}>
      <Said text={turn.message.text} at={turn.message.createdAt} />
      {turn.attempts.length > 1 ? (
        <AttemptSwitch shown={shown} count={turn.attempts.length} onShow={(index) => setChosen(index === newest ? null : index)} />
      ) : null}
      {attempt ? (
        <div className="mt-1">
          <Answer
            key={attempt.runId}
            tenantSlug={props.tenantSlug}
            runId={attempt.runId}
            message={attempt.message}
            summary={props.summaries.get(attempt.runId)}
            store={props.store}
            queuePlace={props.queuePlaces.get(attempt.runId) ?? 0}
            canWrite={props.canWrite}
            isRetrying={props.retryingRunId === attempt.runId}
            onRetry={retry}
          />
        </div>
      ) : null}
    </article>
  );
});

/** What the person wrote, as they wrote it. */
export function Said({ text, at, note }: { text: string; at: string | null; note?: React.ReactNode }) {
  const t = useTranslations('chat.turn');
  return (
    <div className="group/said flex items-start gap-3 border-s-2 border-primary py-0.5 ps-3">
      <h2 className="sr-only">{t('you')}</h2>
      <p className="said min-w-0 flex-1 font-medium whitespace-pre-wrap" lang={hasChinese(text) ? 'zh-CN' : undefined}>
        {text}
      </p>
      <div className="flex shrink-0 items-center gap-1 text-meta text-muted-foreground">
        <CopyButton
          value={text}
          label={t('copyMessage')}
          className="-my-1 opacity-0 group-hover/said:opacity-100 focus-visible:opacity-100 pointer-coarse:hidden"
        />
        {note}
        {at === null ? null : <Time at={at} look="clock" />}
      </div>
    </div>
  );
}

function AttemptSwitch({ shown, count, onShow }: { shown: number; count: number; onShow: (index: number) => void }) {
  const t = useTranslations('chat.turn');
  return (
    <div role="group" aria-label={t('attempts')} className="mt-2 flex items-center gap-1 text-meta text-muted-foreground tabular">
      <Button look="quiet" size="squareSmall" disabled={shown === 0} onClick={() => onShow(shown - 1)} aria-label={t('earlier')}>
        <ChevronLeftIcon aria-hidden />
      </Button>
      <span aria-live="polite">{t('attempt', { shown: shown + 1, count })}</span>
      <Button look="quiet" size="squareSmall" disabled={shown === count - 1} onClick={() => onShow(shown + 1)} aria-label={t('later')}>
        <ChevronRightIcon aria-hidden />
      </Button>
    </div>
  );
}
