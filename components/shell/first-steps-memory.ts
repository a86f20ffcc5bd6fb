import { useSyncExternalStore } from 'react';

/** What this browser remembers of a person's beginnings in a workspace. */
export type Memory = 'dismissed' | 'has-read-run';

const listeners = new Set<() => void>();

/** Whether something is remembered; null while the page is still the server's. */
export function useMemory(owner: string, memory: Memory): boolean | null {
  return useSyncExternalStore(
    subscribe,
    () => recall(owner).includes(memory),
    () => null,
  );
}

export function remember(owner: string, memory: Memory): void {
  const known = recall(owner);
  if (known.includes(memory)) return;
  try {
    localStorage.setItem(storedAs(owner), [...known, memory].join(' '));
  } catch {
    // A browser that keeps nothing shows the steps again.
  }
  for (const listener of listeners) listener();
}

function recall(owner: string): string[] {
  try {
    return (localStorage.getItem(storedAs(owner)) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

function storedAs(owner: string): string {
  return `bw-first-steps:${owner}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
