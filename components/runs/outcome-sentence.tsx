'use client';

import { useTranslations } from 'next-intl';
import { useDurationText } from '#components/ui/duration.tsx';
import type { TracedRun } from '#lib/record/contract.ts';
import { outcomeOf } from './outcome.ts';

/** How a run came out, in one sentence. */
export function OutcomeSentence({ run }: { run: TracedRun }) {
  const t = useTranslations('runs.outcome');
  const durationText = useDurationText();
  const { key, ...values } = outcomeOf(run);
  const duration = 'durationMs' in values ? durationText(values.durationMs) : '';
  return (
    <>
      {t(key, {
        place: 0,
        tasks: 0,
        steps: 0,
        done: 0,
        calls: 0,
        failed: 0,
        capabilityId: '',
        attempt: 1,
        message: '',
        ...values,
        duration,
      })}
    </>
  );
}
