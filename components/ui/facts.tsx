import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

/** Names and values in two columns, to be filled with `Fact`s. */
export function Facts({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <dl
      className={joinClasses(
        'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-ui max-sm:grid-cols-[6.5rem_minmax(0,1fr)]',
        className,
      )}
    >
      {children}
    </dl>
  );
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 tabular">{children}</dd>
    </>
  );
}
