import Link from 'next/link';
import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

export interface TabLink {
  key: string;
  href: string;
  label: ReactNode;
  count?: number;
}

/** Views of one thing whose choice is in the address. Links, not `role=tab`: each view is a place one can be sent to. */
export function TabLinks({ label, tabs, current }: { label: string; tabs: readonly TabLink[]; current: string }) {
  return (
    <nav aria-label={label} className="flex gap-4 overflow-x-auto border-b border-border">
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          href={tab.href}
          scroll={false}
          aria-current={tab.key === current ? 'page' : undefined}
          className={joinClasses(
            'touchable -mb-px inline-flex h-9 items-center gap-1.5 border-b-2 text-ui whitespace-nowrap transition-colors duration-[120ms]',
            tab.key === current
              ? 'border-primary font-medium text-foreground'
              : 'border-transparent text-muted-foreground hover:text-foreground',
          )}
        >
          {tab.label}
          {tab.count === undefined ? null : <span className="text-meta text-muted-foreground tabular">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
