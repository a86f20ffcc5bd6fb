import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

interface EmptyStateProps {
  title: ReactNode;
  /** What would be here, and what it is good for. */
  children?: ReactNode;
  /** One thing that could be here, as it would stand in the list: people learn from a case what a sentence only says. */
  example?: ReactNode;
  /** The one thing to do about it. */
  action?: ReactNode;
  className?: string;
}

/** A list before its first entry: says what it is, shows an example, offers one thing to do. */
export function EmptyState({ title, children, example, action, className }: EmptyStateProps) {
  const t = useTranslations('ui');
  return (
    <div className={joinClasses('flex max-w-[56ch] flex-col items-start gap-2 py-8', className)}>
      <p className="text-section font-medium">{title}</p>
      {children ? <div className="text-ui text-muted-foreground">{children}</div> : null}
      {example ? (
        <figure className="mt-2 w-full border-s-2 border-border ps-3">
          <figcaption className="text-meta text-muted-foreground">{t('example')}</figcaption>
          <div className="mt-0.5 text-ui break-words">{example}</div>
        </figure>
      ) : null}
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  );
}
