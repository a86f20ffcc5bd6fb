import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';
import { StateGlyph, TONE_TEXT, type Tone } from './state-glyph.tsx';

/** A state as word, shape and colour. */
export function StateChip({ tone, children, className }: { tone: Tone; children: ReactNode; className?: string }) {
  return (
    <span className={joinClasses('inline-flex items-center gap-1.5 text-meta font-medium whitespace-nowrap', TONE_TEXT[tone], className)}>
      <StateGlyph tone={tone} />
      {children}
    </span>
  );
}

/** A short remark that is no state: a version, a mode. */
export function Badge({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span
      className={joinClasses(
        'inline-flex items-center gap-1.5 rounded-control border border-border bg-sunken px-1.5 py-0.5 text-meta text-muted-foreground',
        className,
      )}
    >
      {children}
    </span>
  );
}
