/** Tells every list and tab of this browser that a chat has changed. */
const CHANNEL = 'bw-sessions';

export interface SessionNews {
  tenantSlug: string;
  sessionId: string;
}

type Listener = (news: SessionNews) => void;

const listeners = new Set<Listener>();
let channel: BroadcastChannel | null = null;

export function announceSession(news: SessionNews): void {
  tell(news);
  openChannel()?.postMessage(news);
}

/** Calls `listener` for changes made here and in other tabs. Returns how to stop. */
export function onSessionNews(listener: Listener): () => void {
  openChannel();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(news: SessionNews): void {
  for (const listener of listeners) listener(news);
}

/** One for the page: a channel does not hear itself, two of them would hear each other. */
function openChannel(): BroadcastChannel | null {
  if (channel === null && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = (message: MessageEvent<SessionNews>) => tell(message.data);
  }
  return channel;
}
