import type { ReactElement } from 'react';
import { joinClasses } from './join-classes.ts';

/** What a state means to a reader. Each tone has its own shape, so that none is told by colour alone. */
export const TONES = ['idle', 'queued', 'active', 'waiting', 'ok', 'error', 'warn', 'stopped'] as const;
export type Tone = (typeof TONES)[number];

export const TONE_TEXT: { readonly [Key in Tone]: string } = {
  idle: 'text-muted-foreground',
  queued: 'text-muted-foreground',
  active: 'text-info',
  waiting: 'text-waiting',
  ok: 'text-ok',
  error: 'text-destructive',
  warn: 'text-warn',
  stopped: 'text-muted-foreground',
};

const SHAPES: { readonly [Key in Tone]: ReactElement } = {
  idle: <circle cx="6" cy="6" r="1.75" fill="currentColor" />,
  queued: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.1 2.1" />,
  active: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="currentColor" className="animate-breathe" />
    </>
  ),
  waiting: <path d="M6 .75 11.25 6 6 11.25.75 6z" fill="currentColor" />,
  ok: (
    <>
      <circle cx="6" cy="6" r="5" fill="currentColor" />
      <path d="m3.6 6.2 1.7 1.7 3.2-3.6" fill="none" stroke="var(--background)" strokeWidth="1.5" />
    </>
  ),
  error: (
    <>
      <rect x="1" y="1" width="10" height="10" rx="1" fill="currentColor" />
      <path d="m3.9 3.9 4.2 4.2m0-4.2L3.9 8.1" stroke="var(--background)" strokeWidth="1.5" />
    </>
  ),
  warn: <path d="M6 1.2 11.4 10.8H.6z" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />,
  stopped: <rect x="2" y="2" width="8" height="8" fill="none" stroke="currentColor" strokeWidth="1.5" />,
};

export function StateGlyph({ tone, className }: { tone: Tone; className?: string }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className={joinClasses('size-3 shrink-0', TONE_TEXT[tone], className)}>
      {SHAPES[tone]}
    </svg>
  );
}
