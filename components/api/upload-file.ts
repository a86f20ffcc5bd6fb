import type { z } from 'zod';
import { errorBody } from '#lib/http/contract.ts';
import { RequestFailure } from './request.ts';

/**
 * Sends a file and parses the answer. `onProgress` hears what share of it has left, from 0 to 1: `fetch` cannot tell. Throws
 * `RequestFailure`, `aborted` when `signal` fires.
 */
export function uploadFile<Schema extends z.ZodType>(
  path: string,
  file: File,
  options: { schema: Schema; onProgress: (share: number) => void; signal: AbortSignal },
): Promise<z.output<Schema>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (code: string, message: string) => reject(new RequestFailure({ code, message, status: request.status }));
    request.open('POST', path);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => options.onProgress(total > 0 ? loaded / total : 1);
    request.onerror = () => fail('offline', 'The server could not be reached.');
    request.onabort = () => fail('aborted', 'The upload was stopped.');
    request.onload = () => {
      const answer: unknown = request.response;
      const parsed = options.schema.safeParse(answer);
      if (request.status < 300 && parsed.success) return resolve(parsed.data);
      const refusal = errorBody.safeParse(answer);
      if (refusal.success) return reject(new RequestFailure({ ...refusal.data, status: request.status }));
      fail('internal', `HTTP ${request.status}`);
    };
    options.signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}
