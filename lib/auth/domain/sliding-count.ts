/**
 * Requests of one sender in a window that slides: this window's count and what is left of the last one's, weighed by how much
 * of it still lies within the past `windowMs`. Exact where requests come evenly, and never twice the limit at a window's edge.
 */
export interface SlidingCount {
  /** Number of the window since 1970. */
  readonly window: number;
  readonly current: number;
  readonly previous: number;
}

/** The count as it stands at a later moment. */
export function countAt(count: SlidingCount, nowMs: number, windowMs: number): SlidingCount {
  const window = Math.floor(nowMs / windowMs);
  if (window <= count.window) return count;
  return { window, current: 0, previous: window === count.window + 1 ? count.current : 0 };
}

/** How long until one more fits, in milliseconds; 0: now. The count must stand at this moment. */
export function waitFor(
  { current, previous }: SlidingCount,
  { limit, nowMs, windowMs }: { limit: number; nowMs: number; windowMs: number },
): number {
  const passedMs = nowMs % windowMs;
  const room = limit - 1 - current;
  // In whole milliseconds and requests: a fraction would refuse at the very moment that it named.
  if (previous * (windowMs - passedMs) <= room * windowMs) return 0;
  // In this window, once enough of the last one has slid out; else in the next, once enough of this one has.
  if (room >= 0) return Math.ceil(windowMs - (room * windowMs) / previous) - passedMs;
  return windowMs - passedMs + Math.ceil(windowMs - ((limit - 1) * windowMs) / current);
}
