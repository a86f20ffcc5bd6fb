/** What keeps proxies from gathering a stream and compressors from delaying it (known fault K3). */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const;

export interface EventStreamOptions {
  /** Frames as text; the stream ends when they do. */
  readonly frames: AsyncGenerator<string, void, undefined>;
  /** A comment after this long without a frame keeps proxies and readers from giving up. */
  readonly heartbeatMs: number;
  /** Whether every frame is followed by as much nothing as fills a proxy's buffer. */
  readonly isPadded?: boolean;
  /** Aborted when the reader goes away. */
  readonly onClose: AbortController;
  /** Called when nobody reads any more, however it ended. */
  readonly cleanUp?: () => void;
}

/**
 * A comment as long as a page of memory, which is what nginx gathers before it passes anything on. Of two in a row the
 * first takes `X-Accel-Buffering` for itself, and nothing tells the second not to.
 */
const PADDING = `:${' '.repeat(4096)}\n\n`;

/**
 * Server-sent events at the reader's pace: the next frame is asked for when the last one has been taken, so a slow reader
 * holds at most one frame in memory.
 */
export function eventStream({ frames, heartbeatMs, isPadded = false, onClose, cleanUp }: EventStreamOptions): Response {
  const encoder = new TextEncoder();
  const encode = (text: string) => encoder.encode(isPadded ? text + PADDING : text);
  let pending: Promise<IteratorResult<string, void>> | null = null;
  const end = () => {
    onClose.abort();
    cleanUp?.();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encode(': open\n\n')),
      async pull(controller) {
        pending ??= frames.next();
        const result = await withinHeartbeat(pending, heartbeatMs).catch((error: unknown) => {
          end();
          throw error;
        });
        if (result === 'silent') return controller.enqueue(encode(': heartbeat\n\n'));
        pending = null;
        if (result.done) {
          end();
          return controller.close();
        }
        controller.enqueue(encode(result.value));
      },
      async cancel() {
        end();
        await frames.return();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: EVENT_STREAM_HEADERS });
}

function withinHeartbeat<Result>(work: Promise<Result>, heartbeatMs: number): Promise<Result | 'silent'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('silent'), heartbeatMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
