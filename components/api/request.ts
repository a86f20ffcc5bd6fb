import { z } from 'zod';
import { errorBody } from '#lib/http/contract.ts';

// The page's Content-Security-Policy forbids code made from strings; zod would try, and the browser would report it.
z.config({ jitless: true });

/** A request that did not succeed. `offline` is ours: the server was never reached. Every other code is the server's. */
export class RequestFailure extends Error {
  readonly code: string;
  readonly status: number;
  readonly traceId: string | null;
  readonly details: unknown;

  constructor(failure: { code: string; message: string; status: number; traceId?: string | null; details?: unknown; cause?: unknown }) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = 'RequestFailure';
    this.code = failure.code;
    this.status = failure.status;
    this.traceId = failure.traceId ?? null;
    this.details = failure.details;
  }
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** A second request with the same key is answered with the first one's result. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Asks the API for something and parses it. Throws `RequestFailure`, or the abort's own reason when `signal` fires. */
export async function requestJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: RequestOptions = {},
): Promise<z.output<Schema>> {
  const response = await send(path, options);
  const parsed = schema.safeParse(await readJson(response));
  if (parsed.success) return parsed.data;
  throw new RequestFailure({
    code: 'internal',
    message: `${path} answered something unexpected`,
    status: response.status,
    cause: parsed.error,
  });
}

/** Asks the API for something whose answer does not matter. Throws as `requestJson`. */
export async function requestDone(path: string, options: RequestOptions = {}): Promise<void> {
  await send(path, options);
}

/** The failure that a thrown thing is, so that it can be shown. */
export function toRequestFailure(thrown: unknown): RequestFailure {
  if (thrown instanceof RequestFailure) return thrown;
  return new RequestFailure({
    code: 'internal',
    message: thrown instanceof Error ? thrown.message : String(thrown),
    status: 0,
    cause: thrown,
  });
}

async function send(path: string, { method = 'GET', body, idempotencyKey, signal }: RequestOptions): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new RequestFailure({ code: 'offline', message: 'The server could not be reached.', status: 0, cause: thrown });
  }
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: Response): Promise<RequestFailure> {
  const parsed = errorBody.safeParse(await readJson(response));
  if (parsed.success) return new RequestFailure({ ...parsed.data, status: response.status });
  return new RequestFailure({
    code: response.status >= 500 ? 'unavailable' : 'internal',
    message: `HTTP ${response.status}`,
    status: response.status,
  });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
