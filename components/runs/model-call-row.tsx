'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useDurationText } from '#components/ui/duration.tsx';
import { StateGlyph, type Tone } from '#components/ui/state-glyph.tsx';
import { type ModelCall, tokensOf } from './model-activity.ts';

const FINISHES = ['stop', 'tool-calls', 'length', 'refusal', 'interrupted', 'unknown'] as const;
type Finish = (typeof FINISHES)[number];
const TOKEN_CLASSES = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'reasoningTokens'] as const;

const TONES: { readonly [Key in Finish]: Tone } = {
  stop: 'ok',
  'tool-calls': 'ok',
  length: 'warn',
  refusal: 'error',
  interrupted: 'error',
  unknown: 'warn',
};
const MICROS = 1_000_000;

/** Writes an amount of micro-units in the reader's language, small amounts to the last digit. */
export function useCostText(): (cost: { micros: number; currency: string }) => string {
  const format = useFormatter();
  return ({ micros, currency }) =>
    format.number(micros / MICROS, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 6 });
}

/** One call of a model: whose, how it ended, how long it took, its tokens by class and its cost. */
export function ModelCallRow({ call }: { call: ModelCall }) {
  const t = useTranslations('runs.model');
  const format = useFormatter();
  const durationText = useDurationText();
  const costText = useCostText();
  const finish = FINISHES.find((known) => known === call.finishReason) ?? 'unknown';
  const classes = TOKEN_CLASSES.filter((name) => call.usage[name] > 0);
  return (
    <li className="border-b border-border py-2 text-ui">
      <p className="flex flex-wrap items-center gap-x-2">
        <StateGlyph tone={TONES[finish]} />
        <span className="font-medium">{call.agentId}</span>
        <code className="font-mono text-meta break-all text-muted-foreground">{`${call.provider}/${call.model}`}</code>
        <span className="ms-auto tabular">{durationText(call.durationMs)}</span>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted-foreground tabular">
        <span>
          {t(`finishes.${finish}`)}
          {call.toolCalls > 0 ? ` · ${t('tools', { count: call.toolCalls })}` : ''}
        </span>
        {call.attempts > 1 ? <span className="text-warn">{t('attempts', { count: call.attempts })}</span> : null}
        {call.firstPartMs === null ? null : <span>{t('firstPart', { duration: durationText(call.firstPartMs) })}</span>}
        <span className="ms-auto text-foreground">{call.cost ? costText(call.cost) : t('noPrice')}</span>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted-foreground tabular">
        <span className="text-foreground">{t('tokens', { count: tokensOf(call) })}</span>
        {classes.map((name) => (
          <span key={name}>{t(`classes.${name}`, { count: format.number(call.usage[name]) })}</span>
        ))}
        {call.prompt.length > 0 ? (
          <span>
            {t('sent', { parts: call.prompt.map((part) => `${part.contributor} ${format.number(part.characters)}`).join(' · ') })}
          </span>
        ) : null}
        {call.usage.isEstimated ? <span className="text-warn">{t('estimated')}</span> : null}
      </p>
    </li>
  );
}
