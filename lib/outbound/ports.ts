/** `fetch` as everyone knows it, through the guard: what may call out is given one and opens no connection of its own. */
export type GuardedFetch = typeof globalThis.fetch;

/** Which addresses this deployment may call out to. */
export interface AddressPolicy {
  /** Null when allowed, else why not. `host` is the name as it was written. */
  objectTo(address: string, host: string): string | null;
}

/** The same guard for a library that opens its own connections: it is given `lookup`, and each address is shown to `requireAllowed` first. */
export interface OutboundGuard {
  /** In the place of `dns.lookup`: refuses what a name leads to. */
  readonly lookup: (
    hostname: string,
    options: object,
    callback: (error: Error | null, address: string | LookedUp[], family?: number) => void,
  ) => void;
  /** Throws `forbidden_address` for what is no http address, or names an address that may not be called. */
  requireAllowed(url: URL): void;
}

export interface LookedUp {
  readonly address: string;
  readonly family: number;
}
