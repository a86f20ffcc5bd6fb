import type { ContextView } from '#lib/conversations/contract.ts';

/** Above it people are told that older messages will be summarised. */
const NEARLY = 0.85;

/** What the last call took of its room. `free` is never negative. */
export function contextUse({ system, summary, history, tools, limitTokens }: ContextView): { used: number; free: number; share: number } {
  const used = system + summary + history + tools;
  return { used, free: Math.max(0, limitTokens - used), share: used / limitTokens };
}

/** Whether what is left of the room is so little that older messages will soon be summarised. */
export function isNearlyFull(context: ContextView): boolean {
  return contextUse(context).share > NEARLY;
}
