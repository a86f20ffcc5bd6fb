'use client';

import { useFormatter, useLocale, useTranslations } from 'next-intl';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import type { StageView } from '#lib/supervisor/contract.ts';

const TONES: { readonly [State in StageView['state']]: Tone } = { waiting: 'idle', done: 'ok', skipped: 'stopped' };

/** The stages of a preset's pipeline: what each found, how sure it was, and why. */
export function StageList({ stages }: { stages: readonly StageView[] }) {
  const t = useTranslations('runs.plan');
  const format = useFormatter();
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  return (
    <section>
      <p className="text-meta text-muted-foreground">{t('stages')}</p>
      <ol className="mt-1 border-t border-border">
        {stages.map((stage, index) => (
          <li key={stage.id} className="grid grid-cols-[1.5rem_1fr_auto] items-baseline gap-x-2 border-b border-border py-1.5">
            <span className="text-meta text-muted-foreground tabular">{index + 1}</span>
            <span className="min-w-0">
              <span className="font-medium">{stage.title[locale]}</span>{' '}
              {stage.confidence === null ? null : (
                <span className="text-muted-foreground tabular">
                  {t('confidence', { value: format.number(stage.confidence, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) })}
                </span>
              )}
              {stage.summary === '' ? null : <span className="block text-muted-foreground">{stage.summary}</span>}
              {stage.reasons.length === 0 ? null : (
                <span className="block text-meta break-words text-muted-foreground">{stage.reasons.join(' · ')}</span>
              )}
            </span>
            <StateChip tone={TONES[stage.state]}>{t(`stageStates.${stage.state}`)}</StateChip>
          </li>
        ))}
      </ol>
    </section>
  );
}
