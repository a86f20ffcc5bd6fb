import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { hasEnded } from '#components/runs/has-ended.ts';
import type { ProgressStore } from './progress-store.ts';
import { progressText } from './run-progress.ts';
import type { RunStanding } from './use-progress.ts';

/**
 * What a screen reader is told of runs under way: that an answer has begun, that one needs its reader, that it is finished,
 * then its text once. Runs that were over before the page was opened are part of the page, not news.
 */
export function useAnnouncements(store: ProgressStore, standings: readonly RunStanding[]): string {
  const t = useTranslations('chat.announce');
  const [text, setText] = useState('');
  const told = useRef(new Map<string, string>());
  useEffect(() => {
    for (const { runId, state, hasOpenQuestion } of standings) {
      const isNew = !told.current.has(runId);
      const news = hasOpenQuestion ? 'waiting' : state;
      if (told.current.get(runId) === news) continue;
      told.current.set(runId, news);
      const progress = store.get(runId);
      if (isNew && hasEnded(state)) continue;
      if (hasOpenQuestion) setText(t('waiting', { question: progress?.question?.text ?? '' }));
      else if (state === 'RUNNING') setText(t('started'));
      else if (state === 'FINISH_OK') setText(t('finished', { text: progress ? progressText(progress) : '' }));
      else if (hasEnded(state)) setText(t(state === 'CANCELLED' ? 'stopped' : 'failed'));
    }
  }, [standings, store, t]);
  return text;
}
