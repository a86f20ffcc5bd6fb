const CHANGED = 'bailiwick:inbox';

/** Something that waited has been dealt with, or something new waits: whoever shows it asks again. */
export function announceInbox(): void {
  window.dispatchEvent(new Event(CHANGED));
}

export function onInboxNews(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}
