import { useKeys } from '#components/keyboard/use-keys.ts';
import type { Turn } from './branches.ts';

/** `[` and `]` go to the earlier and the later sibling: of the turn that has the focus, else of the last that has any. */
export function useBranchKeys(turns: readonly Turn[], show: (messageId: string) => void): void {
  const go = (by: -1 | 1) => {
    const branched = turns.filter(({ siblings }) => siblings.length > 1);
    const focused = document.activeElement?.closest('article')?.id;
    const turn = branched.find(({ message }) => message.id === focused) ?? branched.at(-1);
    const next = turn?.siblings[turn.siblings.indexOf(turn.message.id) + by];
    if (next !== undefined) show(next);
  };
  useKeys({ earlierBranch: () => go(-1), laterBranch: () => go(1) });
}
