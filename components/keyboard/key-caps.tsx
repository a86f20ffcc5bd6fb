'use client';

import { useSyncExternalStore } from 'react';
import { joinClasses } from '#components/ui/join-classes.ts';
import { isAppleKeyboard } from './use-keys.ts';

const APPLE: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Enter: '⏎', Backspace: '⌫', Esc: 'esc' };
const OTHER: Readonly<Record<string, string>> = { Mod: 'Ctrl' };

/** A press as keys look: `Mod+K` or `G R`. */
export function KeyCaps({ press, className }: { press: string; className?: string }) {
  const isApple = useSyncExternalStore(
    () => () => {},
    isAppleKeyboard,
    () => false,
  );
  const names = isApple ? APPLE : OTHER;
  // A plus sign or a space may be the key itself.
  const caps = press.split(/(?<=.)[+ ](?=.)/);
  return (
    <span className={joinClasses('inline-flex items-center gap-1 whitespace-nowrap', className)}>
      {(press.includes('–') ? [press] : caps).map((cap, place) => (
        <kbd
          // oxlint-disable-next-line react/no-array-index-key -- a key may occur twice in a press, and its place never changes
          key={place}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-control border border-border bg-sunken px-1 font-mono text-meta text-muted-foreground"
        >
          {names[cap] ?? cap}
        </kbd>
      ))}
    </span>
  );
}
