import { useEffect, useRef } from 'react';
import type { Turn } from './branches.ts';

/** `[` and `]` go to the earlier and the later sibling: of the turn that has the focus, else of the last that has any. */
export function useBranchKeys(turns: readonly Turn[], show: (messageId: string) => void): void {
  const latest = useRef({ turns, show });
  useEffect(() => {
    latest.current = { turns, show };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.key !== '[' && event.key !== ']') || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
      if (event.target instanceof HTMLElement && event.target.closest('input,textarea,select,[contenteditable],[role=dialog]')) return;
      const branched = latest.current.turns.filter(({ siblings }) => siblings.length > 1);
      const focused = document.activeElement?.closest('article')?.id;
      const turn = branched.find(({ message }) => message.id === focused) ?? branched.at(-1);
      const next = turn?.siblings[turn.siblings.indexOf(turn.message.id) + (event.key === '[' ? -1 : 1)];
      if (next === undefined) return;
      event.preventDefault();
      latest.current.show(next);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
