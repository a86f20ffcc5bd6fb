const CHANGED = 'bailiwick:inbox';

/** Something that waited has been dealt with, or something new waits: whoever shows it asks again. */
export function announceInbox(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/** Has `ask` called on news, when the page is looked at again, and every so often while it is. Returns what ends that. */
export function followInbox(ask: () => void, everyMs: number): () => void {
  const onNews = () => {
    if (!document.hidden) ask();
  };
  const timer = setInterval(onNews, everyMs);
  window.addEventListener(CHANGED, onNews);
  document.addEventListener('visibilitychange', onNews);
  return () => {
    clearInterval(timer);
    window.removeEventListener(CHANGED, onNews);
    document.removeEventListener('visibilitychange', onNews);
  };
}
