import { useSyncExternalStore } from 'react';

/** What a key or a button opens over the page that is there. */
export type Overlay = 'palette' | 'shortcuts';

let open: Overlay | null = null;
const listeners = new Set<() => void>();

export function showOverlay(overlay: Overlay | null): void {
  open = overlay;
  for (const listener of listeners) listener();
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
