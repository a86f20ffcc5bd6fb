import { useTranslations } from 'next-intl';
import { StateGlyph, type Tone } from '#components/ui/state-glyph.tsx';

/** Tenths of a percent of the run's time. */
const ROWS = [
  { key: 'plan', code: 'plan', from: 0, to: 90, tone: 'ok' },
  { key: 'policy', code: 'knowledge.search', from: 90, to: 360, tone: 'ok' },
  { key: 'hours', code: 'knowledge.search', from: 360, to: 540, tone: 'ok' },
  { key: 'asked', code: 'question', from: 540, to: 860, tone: 'waiting' },
  { key: 'answer', code: 'answer', from: 860, to: 1000, tone: 'active' },
] as const satisfies readonly { key: string; code: string; from: number; to: number; tone: Tone }[];

const FILL = { ok: 'var(--ok)', waiting: 'var(--waiting)', active: 'var(--info)' } as const;

/** A run as it is recorded: what this product is about, in the form its pages have. */
export function RunSpecimen() {
  const t = useTranslations('auth.specimen');
  return (
    <figure className="w-full max-w-[40rem]">
      <blockquote className="border-s-2 border-primary ps-3 text-chat font-medium">{t('question')}</blockquote>
      <div className="mt-5 border-t border-border text-ui">
        {ROWS.map(({ key, code, from, to, tone }) => (
          <div key={key} className="grid grid-cols-[11rem_1fr] items-center gap-4 border-b border-border py-2">
            <span className="flex min-w-0 items-center gap-2">
              <StateGlyph tone={tone} />
              <span className="min-w-0">
                <span className="block truncate">{t(`rows.${key}`)}</span>
                <code className="block truncate font-mono text-meta text-muted-foreground">{code}</code>
              </span>
            </span>
            <svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-full overflow-visible">
              <path d="M0 4H1000" stroke="var(--border)" vectorEffect="non-scaling-stroke" />
              <rect x={from} width={to - from} y="1" height="6" fill={FILL[tone]} fillOpacity={tone === 'waiting' ? 0.35 : 1} />
            </svg>
          </div>
        ))}
      </div>
      <figcaption className="mt-5 max-w-[52ch] text-ui text-muted-foreground">{t('caption')}</figcaption>
    </figure>
  );
}
