'use client';

import { SearchIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { KeyCaps } from '#components/keyboard/key-caps.tsx';
import { showOverlay } from '#components/keyboard/overlay.ts';
import { Button } from '#components/ui/button.tsx';

/** Opens the palette for those who do not know its key yet, and tells it. */
export function FindButton({ look }: { look: 'field' | 'icon' }) {
  const t = useTranslations('shell');
  if (look === 'icon') {
    return (
      <Button look="quiet" size="square" aria-label={t('find')} title={t('find')} onClick={() => showOverlay('palette')}>
        <SearchIcon aria-hidden />
      </Button>
    );
  }
  return (
    <button
      type="button"
      onClick={() => showOverlay('palette')}
      className="touchable flex h-8 w-full items-center gap-2.5 rounded-control border border-border bg-card px-2.5 text-ui text-muted-foreground transition-colors duration-[120ms] hover:border-input hover:text-foreground"
    >
      <SearchIcon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className="min-w-0 flex-1 truncate text-start">{t('find')}</span>
      <KeyCaps press="Mod+K" className="pointer-coarse:hidden" />
    </button>
  );
}
