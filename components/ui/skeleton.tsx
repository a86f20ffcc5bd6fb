import { useTranslations } from 'next-intl';
import { joinClasses } from './join-classes.ts';

/** A place holder for text that is on its way; it shows itself after 150 ms only. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={joinClasses('block h-3 animate-late rounded-control bg-border/70', className)} />;
}

const WIDTHS = ['w-3/5', 'w-4/5', 'w-2/5', 'w-3/4', 'w-1/2'] as const;

/** Rows of a list that is on its way. */
export function SkeletonRows({ rows = 5, className }: { rows?: number; className?: string }) {
  const t = useTranslations('ui');
  return (
    <div role="status" className={joinClasses('flex flex-col', className)}>
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="flex h-10 items-center border-b border-border">
          <Skeleton className={WIDTHS[row % WIDTHS.length] ?? 'w-1/2'} />
        </span>
      ))}
    </div>
  );
}
