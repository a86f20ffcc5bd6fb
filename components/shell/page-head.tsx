import type { ReactNode } from 'react';
import { joinClasses } from '#components/ui/join-classes.ts';

/** The first line of a page: its name and what can be done on it. */
export function PageHead({
  title,
  note,
  children,
  className,
}: {
  title: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <header
      className={joinClasses('flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-1.5', className)}
    >
      <h1 className="min-w-0 truncate text-section font-semibold">{title}</h1>
      {note}
      {children ? <div className="ms-auto flex items-center gap-2">{children}</div> : null}
    </header>
  );
}
