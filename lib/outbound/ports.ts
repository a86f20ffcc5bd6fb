/** `fetch` as everyone knows it, through the guard: what may call out is given one and opens no connection of its own. */
export type GuardedFetch = typeof globalThis.fetch;

/** Which addresses this deployment may call out to. */
export interface AddressPolicy {
  /** Null when allowed, else why not. `host` is the name as it was written. */
  objectTo(address: string, host: string): string | null;
}
