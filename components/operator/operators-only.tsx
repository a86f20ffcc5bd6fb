import { useTranslations } from 'next-intl';
import { StateGlyph } from '#components/ui/state-glyph.tsx';

/** A page of operators, for whoever is none. */
export function OperatorsOnly() {
  const t = useTranslations('operator.denied');
  return (
    <div className="flex max-w-[60ch] flex-col gap-2 p-6">
      <h1 className="flex items-center gap-2 text-page font-semibold">
        <StateGlyph tone="stopped" className="size-4" />
        {t('title')}
      </h1>
      <p className="text-chat">{t('body')}</p>
    </div>
  );
}
