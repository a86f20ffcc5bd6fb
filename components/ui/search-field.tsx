'use client';

import { SearchIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { Input } from './input.tsx';
import { joinClasses } from './join-classes.ts';

const TYPING_PAUSE_MS = 300;

/**
 * Text that is being typed, until `apply` has taken it in: once typing pauses, and never amid a composition. `text` is what
 * to show, `applied` what holds so far.
 */
export function useTypedText(applied: string | null, apply: (text: string | null) => Promise<unknown>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isComposing, setIsComposing] = useState(false);
  useEffect(() => {
    if (isComposing || typed === null) return undefined;
    const settle = async () => {
      await apply(typed.trim() || null);
      setTyped((latest) => (latest === typed ? null : latest));
    };
    const timer = setTimeout(() => void settle(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, isComposing, apply]);
  return { text: typed ?? applied ?? '', setTyped, setIsComposing };
}

interface SearchFieldProps {
  typing: ReturnType<typeof useTypedText>;
  label: string;
  className: string;
}

/** Where the text of a search is typed; `/` leads to it. */
export function SearchField({ typing: { text, setTyped, setIsComposing }, label, className }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useKeys({ search: () => input.current?.focus() });
  return (
    <div className={joinClasses('relative flex-1', className)}>
      <SearchIcon aria-hidden className="pointer-events-none absolute start-2.5 top-1/2 size-3.5 -translate-y-1/2 text-muted-foreground" />
      <Input
        ref={input}
        type="search"
        value={text}
        onChange={(event) => setTyped(event.target.value)}
        onCompositionStart={() => setIsComposing(true)}
        onCompositionEnd={() => setIsComposing(false)}
        aria-label={label}
        placeholder={label}
        className="ps-8"
      />
    </div>
  );
}
