/** The stretch of a timeline that is in the picture, as parts of the whole from 0 to 1. */
export interface TimelineWindow {
  readonly from: number;
  readonly to: number;
}

export const WHOLE: TimelineWindow = { from: 0, to: 1 };
const FACTOR = 2;

/**
 * Twice as close, or half as close, around a place; never beyond the whole, nor closer than `shortest`, the smallest part that
 * is worth looking at. At the edges the window stays within the whole.
 */
export function zoomed(
  { from, to }: TimelineWindow,
  { isCloser, around, shortest }: { isCloser: boolean; around: number; shortest: number },
): TimelineWindow {
  const length = Math.min(1, Math.max(shortest, isCloser ? (to - from) / FACTOR : (to - from) * FACTOR));
  return beginning(around - length / 2, length);
}

/** A window of this length that begins as near to `from` as the whole allows. */
export function beginning(from: number, length: number): TimelineWindow {
  const start = Math.min(Math.max(0, from), 1 - length);
  return { from: start, to: start + length };
}

/** The window, moved if it must be so that some of the stretch lies in it. */
export function showing(window: TimelineWindow, stretch: TimelineWindow): TimelineWindow {
  if (stretch.to >= window.from && stretch.from <= window.to) return window;
  const length = window.to - window.from;
  return beginning((stretch.from + stretch.to) / 2 - length / 2, length);
}

/** Where a part of the whole stands in the window: 0 at its left edge, 1 at its right. */
export function placeIn({ from, to }: TimelineWindow, part: number): number {
  return (part - from) / (to - from);
}
