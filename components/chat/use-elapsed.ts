import { useEffect, useState } from 'react';

/** Milliseconds from `startedAt` to `endedAt`, or to now while there is no end, renewed each second. Null without a start. */
export function useElapsedMs(startedAt: string | null, endedAt: string | null): number | null {
  const [now, setNow] = useState<number | null>(null);
  const isTicking = startedAt !== null && endedAt === null;
  useEffect(() => {
    if (!isTicking) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isTicking]);
  if (startedAt === null) return null;
  const end = endedAt === null ? now : Date.parse(endedAt);
  return end === null ? null : Math.max(0, end - Date.parse(startedAt));
}
