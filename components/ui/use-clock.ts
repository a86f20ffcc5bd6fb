import { useSyncExternalStore } from 'react';

const SECOND_MS = 1000;

/** The time to the second (epoch ms), renewed each second while `isTicking`; null until the page is the browser's. */
export function useClock(isTicking: boolean): number | null {
  return useSyncExternalStore(isTicking ? everySecond : never, wholeSecond, () => null);
}

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, SECOND_MS);
  return () => clearInterval(timer);
}

function never(): () => void {
  return () => undefined;
}

function wholeSecond(): number {
  return Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
}
