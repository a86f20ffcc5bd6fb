/** Why a call failed, in the terms that decide what to do about it. */
export type ModelErrorKind =
  | 'rate-limited'
  | 'overloaded'
  | 'unreachable'
  | 'unauthenticated'
  | 'refused'
  | 'invalid-request'
  | 'cut-off'
  | 'aborted';

/**
 * A failed call. `message` says what the provider said and what can be done; it holds no key. `retryAfterMs` is what the
 * provider asked for, if it asked.
 */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(error: { kind: ModelErrorKind; message: string; status?: number | null; retryAfterMs?: number | null; cause?: unknown }) {
    super(error.message, error.cause === undefined ? undefined : { cause: error.cause });
    this.name = 'ModelError';
    this.kind = error.kind;
    this.status = error.status ?? null;
    this.retryAfterMs = error.retryAfterMs ?? null;
  }
}

/** Worth another try: the same request may succeed later. A call that was cut off had begun to answer and is not among them. */
export function isRetryable(error: ModelError): boolean {
  return error.kind === 'rate-limited' || error.kind === 'overloaded' || error.kind === 'unreachable';
}
