import type { TimelineSpan } from './timeline-spans.ts';

/** How far apart two spans may lie and still follow each other: what lies between is bookkeeping. */
const NEXT_TO_MS = 2;

/**
 * The spans that decided how long the run took: the last to end, what ended before that began, and so on back to the start.
 * Shortening any other changes nothing.
 */
export function criticalPath(spans: readonly TimelineSpan[], totalMs: number): ReadonlySet<string> {
  const byEnd = spans
    .map((span) => ({ id: span.id, fromMs: span.fromMs, endMs: span.toMs ?? totalMs }))
    .toSorted((a, b) => b.endMs - a.endMs);
  const path = new Set<string>();
  let limitMs = Number.POSITIVE_INFINITY;
  for (const span of byEnd) {
    if (span.endMs > limitMs + NEXT_TO_MS) continue;
    path.add(span.id);
    limitMs = Math.min(span.fromMs, limitMs);
  }
  return path;
}
