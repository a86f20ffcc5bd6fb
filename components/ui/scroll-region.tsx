import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

/** Text that scrolls inside itself. It can be reached by keyboard, or a keyboard could not scroll it. */
export function ScrollRegion({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={joinClasses('min-h-0 flex-1 overflow-y-auto -outline-offset-2', className)}
    >
      {children}
    </section>
  );
}
