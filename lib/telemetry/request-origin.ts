import { AsyncLocalStorage } from 'node:async_hooks';
import { oncePerProcess } from './once-per-process.ts';

const storage = oncePerProcess('request-origin', () => new AsyncLocalStorage<{ readonly ip: string | null }>());

/** Whatever `work` records, however deep, is recorded as coming from this address. */
export function withRequestOrigin<Result>(origin: { readonly ip: string | null }, work: () => Result): Result {
  return storage.run(origin, work);
}

/** The address that the request at work came from; null outside of one. */
export function currentRequestIp(): string | null {
  return storage.getStore()?.ip ?? null;
}
