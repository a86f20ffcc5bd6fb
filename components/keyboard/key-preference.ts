import { useSyncExternalStore } from 'react';

const STORED_AS = 'bw-single-keys';
const listeners = new Set<() => void>();

/**
 * Whether single letters are shortcuts in this browser. Speech input may press them by the dozen, so that they can be
 * switched off (WCAG 2.1.4); chords with ⌘ or Ctrl stay.
 */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== 'off';
  } catch {
    return true;
  }
}

export function keepSingleKeys(areOn: boolean): void {
  try {
    localStorage.setItem(STORED_AS, areOn ? 'on' : 'off');
  } catch {
    // A browser that keeps nothing keeps the shortcuts on.
  }
  for (const listener of listeners) listener();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn, () => true);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
