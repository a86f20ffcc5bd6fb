import type { GuardedFetch } from '#lib/outbound/index.ts';

/** What one answer may weigh: a tool's result is for a prompt. A stream of notifications counts as one answer. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The guarded fetch, with a limit on each answer, so that a server that floods costs its own call alone. `onBroken` hears of
 * an answer that broke off: who waits for it would wait until their time is up.
 */
export function limitFetch(guarded: GuardedFetch, onBroken: (reason: unknown) => void): GuardedFetch {
  return async (input, init) => {
    const response = await guarded(input, init);
    if (!response.body) return response;
    const method = init?.method ?? 'GET';
    const body = limitBody(response.body, (reason) => {
      // The stream that only listens is opened again by itself.
      if (method === 'POST' && !init?.signal?.aborted) onBroken(reason);
    });
    return new Response(body, { status: response.status, statusText: response.statusText, headers: new Headers([...response.headers]) });
  };
}

function limitBody(source: ReadableStream<Uint8Array>, onBroken: (reason: unknown) => void): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes > BODY_LIMIT_BYTES) throw new Error(`The server answered with more than ${BODY_LIMIT_BYTES} bytes.`);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        onBroken(error);
        await reader.cancel(error).catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
