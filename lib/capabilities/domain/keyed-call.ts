import { AppError, type JsonObject } from '#lib/kernel/index.ts';

/** A call that its caller has given a key of its own: the same key with the same arguments is the same call (requirement H-17). */
export interface KeyedCall {
  readonly capabilityId: string;
  /** Of the arguments alone: a newer version of the capability is still the call that was asked for. */
  readonly argumentsHash: string;
  readonly state: 'EXECUTING' | 'SUCCEEDED' | 'FAILED';
  /** Of one that has succeeded. */
  readonly result: KeptResult | null;
}

/** What a call has answered. */
export interface KeptResult {
  readonly output: JsonObject;
  readonly text: string;
}

/** How long a key is remembered. */
export const KEYED_CALL_HOURS = 24;

const KEY_LIMIT = 200;

/** Throws `invalid_request` for a key that is empty or longer than 200 characters. */
export function requireCallKey(key: string): string {
  if (key.trim() !== '' && key.length <= KEY_LIMIT) return key;
  throw new AppError({ code: 'invalid_request', message: `An idempotency key has 1 to ${KEY_LIMIT} characters.` });
}

/** What to do with a call whose key has been seen. */
export type KeyedDecision =
  | { readonly kind: 'run' }
  | { readonly kind: 'answer'; readonly result: KeptResult }
  | { readonly kind: 'refuse'; readonly code: 'idempotency_mismatch' | 'conflict'; readonly message: string };

/**
 * A call that has succeeded is answered from what is kept; one that has failed may be tried again; one that began and did not
 * end is run again only where that does no harm, for nobody knows what it has done.
 */
export function decideKeyedCall(
  known: KeyedCall | null,
  call: { readonly capabilityId: string; readonly argumentsHash: string; readonly mayRepeat: boolean },
): KeyedDecision {
  if (!known) return { kind: 'run' };
  if (known.capabilityId !== call.capabilityId || known.argumentsHash !== call.argumentsHash) {
    const message = `This idempotency key was used for another call, of ${known.capabilityId}. Use a new key.`;
    return { kind: 'refuse', code: 'idempotency_mismatch', message };
  }
  if (known.state === 'SUCCEEDED' && known.result) return { kind: 'answer', result: known.result };
  if (known.state === 'EXECUTING' && !call.mayRepeat) {
    const message = `A call with this key has begun and has not ended: it may still be at work, or have been cut off. Look at what ${call.capabilityId} has done before you ask for it under a new key.`;
    return { kind: 'refuse', code: 'conflict', message };
  }
  return { kind: 'run' };
}
