import { AppError, type Clock, type Id } from '#lib/kernel/index.ts';
import { reconnectWaitMs } from './domain/back-off.ts';
import { McpConnectFailure } from './domain/connect-failure.ts';
import type { McpConnection, McpConnector, McpTarget } from './ports.ts';

export interface ConnectionsDependencies {
  readonly connector: McpConnector;
  readonly clock: Clock;
  /** A server says that its tools have changed. */
  readonly onToolsChanged: (target: McpTarget) => void;
}

interface Slot {
  readonly target: McpTarget;
  opening: Promise<McpConnection> | null;
  failures: number;
  notBefore: number;
  lastFailure: McpConnectFailure | null;
}

/** A program that ends sooner than this counts as one that could not be started: it may do so again and again. */
const SETTLED_MS = 10_000;
const CONNECT_TIMEOUT_MS = 30_000;

/**
 * This process's open connections, one for each server and, where people sign in, each person. One that broke is opened anew
 * by the next who needs it, after a wait that grows with its failures; no server waits for another.
 */
export class McpConnections {
  readonly #dependencies: ConnectionsDependencies;
  readonly #slots = new Map<string, Slot>();
  #isStopped = false;

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Joins those who wait for the same one. `isFresh` opens a new one, whatever there is, and at once. Throws
   * `McpConnectFailure`, and `unavailable` while the server is left alone after failures.
   */
  async get(target: McpTarget, options: { isFresh?: boolean } = {}): Promise<McpConnection> {
    if (this.#isStopped) throw new AppError({ code: 'unavailable', message: 'This process is stopping.' });
    const key = keyOf(target);
    let slot = this.#slots.get(key);
    if (slot && (options.isFresh || slot.target.revision !== target.revision || slot.target.signIn?.since !== target.signIn?.since)) {
      this.#slots.delete(key);
      void closeSlot(slot);
      slot = undefined;
    }
    slot ??= { target, opening: null, failures: 0, notBefore: 0, lastFailure: null };
    this.#slots.set(key, slot);
    const open = slot.opening && (await slot.opening);
    if (open?.isOpen) return open;
    // Others may have begun while this one waited.
    if (slot.opening && open !== (await slot.opening)) return this.get(target);
    const waitMs = slot.notBefore - this.#dependencies.clock.now().getTime();
    if (waitMs > 0) {
      const cause = slot.lastFailure?.message ?? 'it ended again and again';
      throw new AppError({
        code: 'unavailable',
        message: `The MCP server ${target.name} cannot be reached (${cause}). It is tried again in ${Math.ceil(waitMs / 1000)} s.`,
      });
    }
    slot.opening = this.#open(slot);
    return slot.opening;
  }

  /** Closes those of a server; absent: of servers that `isKept` does not keep. */
  async closeServers(isKept: (tenantId: Id<'tenant'>, serverId: Id<'mcpServer'>) => boolean): Promise<void> {
    const gone = [...this.#slots].filter(([, { target }]) => !isKept(target.tenantId, target.serverId));
    for (const [key] of gone) this.#slots.delete(key);
    await Promise.all(gone.map(([, slot]) => closeSlot(slot)));
  }

  /** Closes a person's own. */
  async closeAccount(serverId: Id<'mcpServer'>, userId: Id<'user'>): Promise<void> {
    const key = keyOf({ serverId, userId });
    const slot = this.#slots.get(key);
    this.#slots.delete(key);
    if (slot) await closeSlot(slot);
  }

  get count(): number {
    return this.#slots.size;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.closeServers(() => false);
  }

  async #open(slot: Slot): Promise<McpConnection> {
    const { connector, clock, onToolsChanged } = this.#dependencies;
    const openedAt = clock.now().getTime();
    let isOpen = false;
    const listener = {
      onToolsChanged: () => onToolsChanged(slot.target),
      onClosed: () => {
        slot.opening = null;
        if (!isOpen) return;
        const now = clock.now().getTime();
        // A server over HTTP that closes is there; a program that ends has to be started.
        if (slot.target.reach.transport === 'stdio' && now - openedAt < SETTLED_MS) this.#countFailure(slot, now);
        else slot.failures = 0;
      },
    };
    try {
      const connection = await connector.connect(slot.target, listener, AbortSignal.timeout(CONNECT_TIMEOUT_MS));
      isOpen = true;
      slot.lastFailure = null;
      if (slot.target.reach.transport === 'http') slot.failures = 0;
      return connection;
    } catch (error) {
      slot.lastFailure = error instanceof McpConnectFailure ? error : null;
      slot.opening = null;
      this.#countFailure(slot, clock.now().getTime());
      throw error;
    }
  }

  #countFailure(slot: Slot, now: number): void {
    slot.failures += 1;
    slot.notBefore = now + reconnectWaitMs(slot.failures);
  }
}

async function closeSlot(slot: Slot): Promise<void> {
  const connection = await slot.opening?.catch(() => null);
  await connection?.close();
}

function keyOf({ serverId, userId }: Pick<McpTarget, 'serverId' | 'userId'>): string {
  return `${serverId} ${userId ?? ''}`;
}
