const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** A file to be saved, sent piece by piece as its reader takes it: memory holds one piece. */
export function fileAnswer(file: {
  fileName: string;
  format: keyof typeof TYPES;
  byteCount: number;
  pieces: AsyncGenerator<string, void, undefined>;
}): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await file.pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await file.pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'content-type': TYPES[file.format],
      'content-length': String(file.byteCount),
      'content-disposition': `attachment; filename="${file.fileName}"`,
      'cache-control': 'no-store',
    },
  });
}
