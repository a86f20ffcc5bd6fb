'use client';

import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '#components/ui/button.tsx';

/** Which of a message's branches is shown, and the way to the others. */
export function BranchSwitch({
  siblings,
  shown,
  onShow,
}: {
  siblings: readonly string[];
  shown: string;
  onShow: (messageId: string) => void;
}) {
  const t = useTranslations('chat.turn');
  const index = siblings.indexOf(shown);
  // Not `disabled`: whoever steps through by keyboard keeps the button at either end.
  const step = (sibling: string | undefined, key: string) => ({
    look: 'quiet' as const,
    size: 'squareSmall' as const,
    'aria-disabled': sibling === undefined,
    'aria-keyshortcuts': key,
    onClick: () => {
      if (sibling !== undefined) onShow(sibling);
    },
  });
  const place = { shown: index + 1, count: siblings.length };
  return (
    <div role="group" aria-label={t('branches')} className="mt-2 flex items-center gap-1 text-meta text-muted-foreground tabular">
      <Button {...step(siblings[index - 1], '[')} aria-label={t('earlier')} title={t('earlier')}>
        <ChevronLeftIcon aria-hidden />
      </Button>
      <span aria-live="polite">
        <span aria-hidden>{t('place', place)}</span>
        <span className="sr-only">{t('branch', place)}</span>
      </span>
      <Button {...step(siblings[index + 1], ']')} aria-label={t('later')} title={t('later')}>
        <ChevronRightIcon aria-hidden />
      </Button>
    </div>
  );
}
