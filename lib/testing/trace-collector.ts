import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.strictObject({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }).transform(({ intValue }) => Number(intValue)),
  z.strictObject({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z
    .strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .transform((pairs) => Object.fromEntries(pairs.map((pair) => [pair.key, pair.value])));
const instant = z
  .string()
  .regex(/^\d{19}$/)
  .transform((nanoseconds) => Number(BigInt(nanoseconds) / 1_000_000n));

const span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: instant,
  endTimeUnixNano: instant,
  attributes,
  events: z.array(z.strictObject({ name: z.string(), timeUnixNano: instant, attributes })),
  status: z.strictObject({ code: z.number().optional(), message: z.string().optional() }),
});
export type CollectedSpan = z.infer<typeof span>;

/** The part of OTLP's `ExportTraceServiceRequest` in JSON that spans need; a field that it does not have is refused. */
const exportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});

export interface TraceCollector {
  /** Its root, as operators write it. */
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: { readonly [name: string]: unknown }; readonly status: number }[];
  readonly spans: readonly CollectedSpan[];
  readonly resources: readonly { readonly [name: string]: unknown }[];
  /** What the next requests are answered with, one each; then 200 again. */
  answer(...statuses: readonly number[]): void;
  close(): Promise<void>;
}

/** A collector over real HTTP that takes OTLP/JSON at /v1/traces, and answers 400 to whatever is none. */
export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const requests: TraceCollector['requests'][number][] = [];
  const spans: CollectedSpan[] = [];
  const resources: { readonly [name: string]: unknown }[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url?.endsWith('/v1/traces') === true;
      const parsed = isTraces && request.headers['content-type'] === 'application/json' ? readRequest(body) : null;
      const status = statuses.shift() ?? (parsed ? 200 : 400);
      requests.push({ path: request.url ?? '', headers: request.headers, status });
      if (parsed && status === 200) {
        for (const { resource, scopeSpans } of parsed.resourceSpans) {
          resources.push(resource.attributes);
          spans.push(...scopeSpans.flatMap((scope) => scope.spans));
        }
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans,
    resources,
    answer: (...next) => void statuses.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function readRequest(body: string) {
  try {
    return exportRequest.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
