import { useEffect, useRef } from 'react';
import type { KeyId } from './key-map.ts';
import { areSingleKeysOn } from './key-preference.ts';
import { decidePress, takesText } from './key-press.ts';

/** What a key does here; null or absent where it does nothing now. A handler that gives `false` leaves the key to the browser. */
export type KeyHandlers = Partial<Record<KeyId, ((event: KeyboardEvent) => boolean | void) | null>>;

/** How long the first key of a pair waits for its second. */
const PAIR_WITHIN_MS = 1500;

/** The handlers of what is on the page; the newest comes first. */
const mounted: { current: KeyHandlers }[] = [];
let prefix: { key: string; at: number } | null = null;

/** Answers to keys of the map for as long as the component is on the page. The only place that listens for keys everywhere. */
export function useKeys(handlers: KeyHandlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    if (mounted.length === 0) window.addEventListener('keydown', dispatch);
    mounted.unshift(latest);
    return () => {
      mounted.splice(mounted.indexOf(latest), 1);
      if (mounted.length === 0) window.removeEventListener('keydown', dispatch);
    };
  }, []);
}

function dispatch(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const isWriting = takesText(event.target) || isCovered();
  const before = prefix !== null && event.timeStamp - prefix.at < PAIR_WITHIN_MS ? prefix.key : null;
  const meant = decidePress(event, { isWriting, prefix: before, isApple: isAppleKeyboard() });
  if (!['Shift', 'Meta', 'Control', 'Alt'].includes(event.key)) prefix = null;
  if (meant === null) return;
  const isChord = event.metaKey || event.ctrlKey;
  if (!isChord && !areSingleKeysOn()) return;
  if ('prefix' in meant) {
    prefix = { key: meant.prefix, at: event.timeStamp };
    return;
  }
  const handler = mounted.map(({ current }) => current[meant.id]).find((found) => found);
  if (!handler) return;
  if (handler(event) !== false) event.preventDefault();
}

/** A dialog or a menu stands over the page: its keys are its own. */
function isCovered(): boolean {
  return document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') !== null;
}

export function isAppleKeyboard(): boolean {
  return /Mac|iP(?:hone|ad|od)/.test(navigator.userAgent);
}
