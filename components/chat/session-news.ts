/** Tells every list and tab of this browser that a chat has changed. */
const CHANNEL = 'bw-sessions';
const EVENT = 'bw-session-changed';

export interface SessionNews {
  tenantSlug: string;
  sessionId: string;
}

export function announceSession(news: SessionNews): void {
  window.dispatchEvent(new CustomEvent<SessionNews>(EVENT, { detail: news }));
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Calls `listener` for changes made here and in other tabs. Returns how to stop. */
export function onSessionNews(listener: (news: SessionNews) => void): () => void {
  const onEvent = (event: Event) => {
    if (event instanceof CustomEvent) listener(event.detail as SessionNews);
  };
  window.addEventListener(EVENT, onEvent);
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
  if (channel) channel.onmessage = (message: MessageEvent<SessionNews>) => listener(message.data);
  return () => {
    window.removeEventListener(EVENT, onEvent);
    channel?.close();
  };
}
