import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { hasEnded } from '#components/runs/has-ended.ts';
import type { ProgressStore } from './progress-store.ts';
import { progressText, type RunProgress } from './run-progress.ts';

/**
 * What a screen reader is told of runs under way: that an answer has begun, that one needs its reader, that it is finished,
 * then its text once. Runs that were over before the page was opened are part of the page, not news.
 */
export function useAnnouncements(store: ProgressStore): string {
  const t = useTranslations('chat.announce');
  const [text, setText] = useState('');
  useEffect(() => {
    const told = new Map(store.all().map((progress) => [progress.runId, newsOf(progress)]));
    return store.subscribe(() => {
      for (const progress of store.all()) {
        const news = newsOf(progress);
        if (told.get(progress.runId) === news) continue;
        told.set(progress.runId, news);
        if (news === 'waiting')
          setText(t('waiting', { question: progress.question?.state === 'OPEN' ? progress.question.text : t('decision') }));
        else if (news === 'FINISH_OK') setText(t('finished', { text: progressText(progress) }));
        else if (news === 'RUNNING') setText(t('started'));
        else if (hasEnded(progress.state)) setText(t(news === 'CANCELLED' ? 'stopped' : 'failed'));
      }
    });
  }, [store, t]);
  return text;
}

function newsOf({ state, question, approvals }: RunProgress): RunProgress['state'] | 'waiting' {
  const isAsked = question?.state === 'OPEN' || approvals.some((approval) => approval.state === 'OPEN');
  return isAsked && !hasEnded(state) ? 'waiting' : state;
}
