import { useEffect, useRef } from 'react';

/** ⌘. (Ctrl+.) stops what runs, wherever the focus is. Null while nothing does. */
export function useStopKey(stop: (() => void) | null): void {
  const latest = useRef(stop);
  useEffect(() => {
    latest.current = stop;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.metaKey || event.ctrlKey) || event.isComposing || !latest.current) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
