'use client';

import { useTranslations } from 'next-intl';
import { useDurationText } from '#components/ui/duration.tsx';
import { Fold } from './fold.tsx';
import { hasChinese } from './markdown.tsx';
import type { ReasoningPart } from './run-progress.ts';

/** Thoughts that came in one piece took no time that could be told. */
const WORTH_SAYING_MS = 100;

/** What the model thought aloud before it answered: plain text behind a line, never part of the answer. */
export function ReasoningFold({ reasoning, isThinking }: { reasoning: readonly ReasoningPart[]; isThinking: boolean }) {
  const t = useTranslations('chat.model');
  const durationText = useDurationText();
  if (reasoning.length === 0) return null;
  const thoughtMs = reasoning.reduce((sum, { startedAt, endedAt }) => sum + Date.parse(endedAt) - Date.parse(startedAt), 0);
  const thought = thoughtMs < WORTH_SAYING_MS ? t('thoughtBriefly') : t('thought', { duration: durationText(thoughtMs) });
  return (
    <Fold label={isThinking ? t('thinking') : thought}>
      <div className="flex flex-col gap-3 text-muted-foreground">
        {reasoning.map(({ step, text }) => (
          <p key={step} className="said whitespace-pre-wrap" lang={hasChinese(text) ? 'zh-CN' : undefined}>
            {text.trim()}
          </p>
        ))}
      </div>
    </Fold>
  );
}
