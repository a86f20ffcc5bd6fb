import type { z } from 'zod';
import { AppError } from '#lib/kernel/index.ts';
import { toInvalidRequest } from './error-response.ts';

/** The largest body a route takes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Reads and parses a JSON body. Throws `unsupported_media_type`, `payload_too_large` (as soon as the limit is passed,
 * whatever the length header said), `malformed_json` and `invalid_request` with the path of each problem.
 */
export async function readJsonBody<Body>(request: Request, schema: z.ZodType<Body>): Promise<Body> {
  if (mediaType(request) !== 'application/json') {
    throw new AppError({ code: 'unsupported_media_type', message: 'Send JSON, with Content-Type: application/json.' });
  }
  const parsed = schema.safeParse(parseJson(await readText(request)));
  if (parsed.success) return parsed.data;
  throw toInvalidRequest(parsed.error, 'body');
}

/**
 * Reads a body of bytes, a file, up to a limit of its own. Throws `payload_too_large` as soon as it is passed, whatever the
 * length header said.
 */
export async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a form or JSON body as an object; the sign-in protocol takes both. */
export async function readFormBody(request: Request): Promise<Record<string, unknown>> {
  const type = mediaType(request);
  const text = await readText(request);
  if (text === '') return {};
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
  if (type !== 'application/json') throw new AppError({ code: 'unsupported_media_type', message: 'Send a form or JSON.' });
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) throw new AppError({ code: 'invalid_request', message: 'Send a JSON object.' });
  return { ...value };
}

/** Bytes that are no UTF-8 become U+FFFD, as they would in a form. */
async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, BODY_LIMIT_BYTES));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError({ code: 'malformed_json', message: 'The body is not JSON.', cause: error });
  }
}

function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function tooLarge(limitBytes: number): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: `The body is larger than ${limitBytes / 1024 / 1024} MB.`,
    details: { limitBytes },
  });
}
