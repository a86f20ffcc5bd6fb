'use client';

import { ChevronRightIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { joinClasses } from '#components/ui/join-classes.ts';

/** A line that opens to more. Closed at first, and what it holds is not there until it is opened. */
export function Fold({ label, children }: { label: ReactNode; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="touchable flex min-h-8 w-full min-w-0 items-center gap-2 py-1 text-start text-ui text-muted-foreground hover:bg-foreground/4"
      >
        <ChevronRightIcon
          aria-hidden
          className={joinClasses('size-3.5 shrink-0 transition-transform duration-[120ms]', isOpen && 'rotate-90')}
        />
        {label}
      </button>
      <div id={panelId} hidden={!isOpen} className="animate-appear pb-3 ps-5.5">
        {isOpen ? children : null}
      </div>
    </div>
  );
}
