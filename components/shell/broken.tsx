'use client';

import { useTranslations } from 'next-intl';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';

/** A page whose rendering failed. `reference` names the failure in the server's log. */
export function Broken({ reference, onReload }: { reference: string | undefined; onReload: () => void }) {
  const t = useTranslations('states.broken');
  return (
    <div role="alert" className="flex max-w-[60ch] flex-col items-start gap-3 p-6">
      <h1 className="flex items-center gap-2 text-page font-semibold">
        <StateGlyph tone="error" className="size-4" />
        {t('title')}
      </h1>
      <p className="text-chat text-muted-foreground">{t('body')}</p>
      {reference ? (
        <p className="flex items-center gap-1 text-meta text-muted-foreground">
          {t('reference')} <code className="font-mono">{reference}</code>
          <CopyButton value={reference} />
        </p>
      ) : null}
      <Button onClick={onReload}>{t('reload')}</Button>
    </div>
  );
}
