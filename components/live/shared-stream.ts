import type { RunEventView } from '#lib/supervisor/contract.ts';
import { randomKey } from './random-key.ts';
import { type ConnectionStatus, StreamConnection, type StreamMessage } from './stream-connection.ts';

/** What a reader of one run's events is told. */
export interface RunListener {
  onEvent: (event: RunEventView) => void;
  /** Everything the run logged has been delivered, or there is no such run: nothing more will come. */
  onEnd?: () => void;
}

/** Follows runs as they happen. */
export interface RunStream {
  /**
   * Delivers every event after sequence number `after`, in order; after a replay some may come again. Returns how to
   * stop.
   */
  follow(runId: string, after: number, listener: RunListener): () => void;
}

type TabMessage =
  | { kind: 'want'; tab: string; runs: readonly (readonly [runId: string, after: number])[] }
  | { kind: 'unwant'; tab: string; runId: string }
  | { kind: 'roll-call' }
  | { kind: 'retry' }
  | { kind: 'beat' }
  | { kind: 'status'; status: ConnectionStatus }
  | { kind: 'delivery'; message: StreamMessage };

const BEAT_MS = 5_000;
/** A tab in front of the reader takes over from a leader that has said nothing for this long (a frozen tab, say). */
const SILENT_LEADER_MS = 20_000;

interface SharedStreamOptions {
  /** Names what is shared: tabs of one name hold one connection between them. */
  name: string;
  urlFor: (positions: ReadonlyMap<string, number>) => string;
  /** Absent where the browser has none (a page that is not served securely): then each tab has its own connection. */
  locks?: LockManager | undefined;
  openChannel?: ((name: string) => BroadcastChannel) | undefined;
}

interface Subscription {
  position: number;
  hasEnded: boolean;
  listeners: Set<RunListener>;
}

/**
 * The live events of a tenant for all tabs of a browser. HTTP/1.1 allows six connections to a host, so one tab, which
 * holds a Web Lock, connects and passes on what it hears; when it goes, the next one holds the lock and carries on from
 * where each tab stands.
 */
export class SharedStream implements RunStream {
  readonly #tab = randomKey();
  readonly #options: SharedStreamOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #wantedBy = new Map<string, Set<string>>();
  readonly #statusListeners = new Set<() => void>();
  readonly #channel: BroadcastChannel | undefined;
  readonly #closing = new AbortController();
  #queued: AbortController | undefined;
  #connection: StreamConnection | undefined;
  #status: ConnectionStatus = { state: 'idle' };
  #heardAt = Date.now();
  #beat: ReturnType<typeof setInterval> | undefined;

  constructor(options: SharedStreamOptions) {
    this.#options = options;
    if (!options.locks || !options.openChannel) {
      this.#lead();
      return;
    }
    const channel = options.openChannel(options.name);
    channel.onmessage = (message: MessageEvent<TabMessage>) => this.#hear(message.data);
    this.#channel = channel;
    void this.#stand(options.locks, false);
    this.#beat = setInterval(() => this.#tick(options.locks), BEAT_MS);
  }

  follow(runId: string, after: number, listener: RunListener): () => void {
    const known = this.#subscriptions.get(runId);
    if (known && !known.hasEnded && known.position <= after) {
      known.listeners.add(listener);
    } else {
      // A listener that needs older events than the others gets them by a replay; those who have them skip them.
      this.#subscriptions.set(runId, { position: after, hasEnded: false, listeners: new Set([...(known?.listeners ?? []), listener]) });
      this.#announce(runId, after);
    }
    return () => this.#unfollow(runId, listener);
  }

  /** How the connection stands, whichever tab holds it. */
  get status(): ConnectionStatus {
    return this.#status;
  }

  onStatusChange(listener: () => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Asks for a new attempt now, in whichever tab holds the connection. */
  retryNow(): void {
    if (this.#connection) this.#connection.retryNow();
    else this.#post({ kind: 'retry' });
  }

  close(): void {
    for (const runId of this.#subscriptions.keys()) this.#post({ kind: 'unwant', tab: this.#tab, runId });
    this.#closing.abort();
    this.#queued?.abort();
    clearInterval(this.#beat);
    this.#connection?.close();
    this.#connection = undefined;
    this.#channel?.close();
  }

  #unfollow(runId: string, listener: RunListener): void {
    const subscription = this.#subscriptions.get(runId);
    if (!subscription?.listeners.delete(listener) || subscription.listeners.size > 0) return;
    this.#subscriptions.delete(runId);
    if (this.#connection) this.#release(this.#tab, runId);
    else this.#post({ kind: 'unwant', tab: this.#tab, runId });
  }

  #announce(runId: string, after: number): void {
    if (this.#connection) this.#want(this.#tab, runId, after);
    else this.#post({ kind: 'want', tab: this.#tab, runs: [[runId, after]] });
  }

  #announceAll(): void {
    const open = [...this.#subscriptions].filter(([, subscription]) => !subscription.hasEnded);
    if (open.length > 0)
      this.#post({ kind: 'want', tab: this.#tab, runs: open.map(([runId, { position }]) => [runId, position] as const) });
  }

  async #stand(locks: LockManager, isTakeover: boolean): Promise<void> {
    this.#queued?.abort();
    const queued = new AbortController();
    this.#queued = queued;
    const options = isTakeover ? { steal: true } : { signal: queued.signal };
    try {
      await locks.request(this.#options.name, options, () => {
        this.#lead();
        return new Promise<void>((release) => this.#closing.signal.addEventListener('abort', () => release(), { once: true }));
      });
    } catch {
      // The tab is closing, it takes over instead of queueing, or another tab took over because we had fallen silent.
    }
    if (this.#closing.signal.aborted || this.#queued !== queued) return;
    this.#connection?.close();
    this.#connection = undefined;
    this.#wantedBy.clear();
    this.#announceAll();
    void this.#stand(locks, false);
  }

  #lead(): void {
    this.#connection = new StreamConnection({
      urlFor: this.#options.urlFor,
      onMessage: (message) => {
        this.#post({ kind: 'delivery', message });
        this.#deliver(message);
      },
      onStatus: (status) => {
        this.#post({ kind: 'status', status });
        this.#setStatus(status);
      },
    });
    for (const [runId, { position, hasEnded }] of this.#subscriptions) if (!hasEnded) this.#want(this.#tab, runId, position);
    this.#post({ kind: 'roll-call' });
  }

  #hear(message: TabMessage): void {
    this.#heardAt = Date.now();
    switch (message.kind) {
      case 'want':
        if (!this.#connection) return;
        for (const [runId, after] of message.runs) this.#want(message.tab, runId, after);
        this.#post({ kind: 'status', status: this.#status });
        return;
      case 'unwant':
        if (this.#connection) this.#release(message.tab, message.runId);
        return;
      case 'roll-call':
        this.#announceAll();
        return;
      case 'retry':
        this.#connection?.retryNow();
        return;
      case 'status':
        if (!this.#connection) this.#setStatus(message.status);
        return;
      case 'delivery':
        if (!this.#connection) this.#deliver(message.message);
        return;
      case 'beat':
        return;
    }
  }

  #tick(locks: LockManager | undefined): void {
    if (this.#connection) {
      this.#post({ kind: 'beat' });
      return;
    }
    const isWaiting = [...this.#subscriptions.values()].some(({ hasEnded }) => !hasEnded);
    const isInFront = typeof document === 'undefined' || document.visibilityState === 'visible';
    if (!locks || !isWaiting || !isInFront || Date.now() - this.#heardAt < SILENT_LEADER_MS) return;
    this.#heardAt = Date.now();
    void this.#stand(locks, true);
  }

  #want(tab: string, runId: string, after: number): void {
    const tabs = this.#wantedBy.get(runId) ?? new Set();
    this.#wantedBy.set(runId, tabs.add(tab));
    this.#connection?.want(runId, after);
  }

  #release(tab: string, runId: string): void {
    const tabs = this.#wantedBy.get(runId);
    tabs?.delete(tab);
    if (tabs && tabs.size > 0) return;
    this.#wantedBy.delete(runId);
    this.#connection?.drop(runId);
  }

  #deliver(message: StreamMessage): void {
    const runId = message.kind === 'event' ? message.event.runId : message.runId;
    const subscription = this.#subscriptions.get(runId);
    if (!subscription) return;
    if (message.kind !== 'event') {
      // The end of a stream that was further on than this tab has read: ours is on its way, and it ends again.
      if (message.kind === 'end' && message.position > subscription.position) return;
      subscription.hasEnded = true;
      this.#wantedBy.delete(runId);
      for (const listener of [...subscription.listeners]) listener.onEnd?.();
      return;
    }
    // An event from further on than this tab has read: the connection goes back for us, and it will come again.
    if (message.previous > subscription.position || message.event.seq <= subscription.position) return;
    subscription.position = message.event.seq;
    for (const listener of [...subscription.listeners]) listener.onEvent(message.event);
  }

  #setStatus(status: ConnectionStatus): void {
    this.#status = status;
    for (const listener of this.#statusListeners) listener();
  }

  #post(message: TabMessage): void {
    if (!this.#closing.signal.aborted) this.#channel?.postMessage(message);
  }
}

/** The address of a tenant's stream for runs at their positions. */
export function tenantStreamUrl(tenantSlug: string, positions: ReadonlyMap<string, number>): string {
  const runs = [...positions].map(([runId, after]) => `${runId}:${after}`).join(',');
  return `/api/t/${encodeURIComponent(tenantSlug)}/stream?runs=${encodeURIComponent(runs)}`;
}
