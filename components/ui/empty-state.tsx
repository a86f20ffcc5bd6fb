import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

/** Says what would be here, and offers one thing to do about it. */
export function EmptyState({
  title,
  children,
  action,
  className,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div className={joinClasses('flex max-w-[52ch] flex-col items-start gap-2 py-8', className)}>
      <p className="text-section font-medium">{title}</p>
      {children ? <div className="text-ui text-muted-foreground">{children}</div> : null}
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  );
}
