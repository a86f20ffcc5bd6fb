import { useClock } from '#components/ui/use-clock.ts';

/** Milliseconds from `startedAt` to `endedAt`, or to now while there is no end, renewed each second. Null without a start. */
export function useElapsedMs(startedAt: string | null, endedAt: string | null): number | null {
  const now = useClock(startedAt !== null && endedAt === null);
  if (startedAt === null) return null;
  const end = endedAt === null ? now : Date.parse(endedAt);
  return end === null ? null : Math.max(0, end - Date.parse(startedAt));
}
