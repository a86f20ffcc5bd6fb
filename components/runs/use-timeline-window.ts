import { useState } from 'react';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { beginning, showing, type TimelineWindow, WHOLE, zoomed } from './timeline-window.ts';

/** Closer than this there is nothing to see: the record's clock counts milliseconds. */
const SHORTEST_MS = 5;

/**
 * The part of a timeline in the picture: + and − come closer and go back around the selection, 0 shows all of it. A selection
 * made elsewhere comes into the picture.
 */
export function useTimelineWindow(selection: { id: string; stretch: TimelineWindow } | null, shownMs: number) {
  const [window, setWindow] = useState(WHOLE);
  const [seen, setSeen] = useState(selection?.id);
  if (seen !== selection?.id) {
    setSeen(selection?.id);
    if (selection) setWindow(showing(window, selection.stretch));
  }
  const shortest = Math.min(1, SHORTEST_MS / shownMs);
  const zoom = (isCloser: boolean) =>
    setWindow((before) => {
      const { from, to } = selection?.stretch ?? before;
      return zoomed(before, { isCloser, around: (from + to) / 2, shortest });
    });
  const closer = () => zoom(true);
  const back = () => zoom(false);
  const fit = () => setWindow(WHOLE);
  useKeys({ zoomIn: closer, zoomOut: back, zoomFit: fit });
  const length = window.to - window.from;
  return {
    window,
    closer: length > shortest ? closer : null,
    back: length < 1 ? back : null,
    fit,
    moveTo: (from: number) => setWindow(beginning(from, length)),
    /** null while all of it is in the picture. */
    moveBy: length < 1 ? (share: number) => setWindow((before) => beginning(before.from + share * length, length)) : null,
  };
}
