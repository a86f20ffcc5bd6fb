import { APICallError } from '@ai-sdk/provider';
import { messageOf } from '#lib/kernel/index.ts';
import { hideKey } from '../domain/hide-key.ts';
import { ModelError, type ModelErrorKind } from '../domain/model-error.ts';
import { readRetryAfter } from '../domain/retry-after.ts';

export interface Circumstances {
  readonly signal: AbortSignal;
  /** Is not in the error, even where the provider repeats it. */
  readonly apiKey: string | null;
  readonly hasBegun?: boolean;
}

/** What the SDK threw, in our terms. The provider's own sentence is kept; bodies and headers are not. */
export function toModelError(error: unknown, { signal, apiKey, hasBegun = false }: Circumstances): ModelError {
  if (error instanceof ModelError) return error;
  if (signal.aborted) return new ModelError({ kind: 'aborted', message: 'The call was stopped.', cause: error });
  if (APICallError.isInstance(error)) {
    const status = error.statusCode ?? null;
    const retryAfterMs = readRetryAfter(error.responseHeaders ?? {}, new Date());
    return new ModelError({
      kind: hasBegun ? 'cut-off' : kindOf(status),
      message: sentence(hideKey(error.message, apiKey), status),
      status,
      retryAfterMs,
      cause: error.cause,
    });
  }
  const said = hideKey(messageOf(error), apiKey);
  if (hasBegun) return new ModelError({ kind: 'cut-off', message: `The provider’s answer broke off: ${said}`, cause: error });
  return new ModelError({ kind: 'unreachable', message: `The provider cannot be reached: ${said}`, cause: error });
}

function kindOf(status: number | null): ModelErrorKind {
  if (status === null) return 'unreachable';
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'unauthenticated';
  if (status === 408 || status === 409 || status >= 500) return 'overloaded';
  return 'invalid-request';
}

function sentence(message: string, status: number | null): string {
  const said = message.slice(0, 500);
  return status === null ? said : `The provider answered ${status}: ${said}`;
}
