import type { Span, SpanValue } from './span.ts';

/** Of `opentelemetry/proto/trace/v1/trace.proto`: in JSON, enums are numbers. */
const KIND = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;

/**
 * An `ExportTraceServiceRequest` in OTLP's JSON form, which any collector takes at `/v1/traces`: ids in hexadecimal, 64-bit
 * numbers as strings (OTLP 1.x).
 */
export function toOtlpJson(spans: readonly Span[], resource: { readonly [name: string]: string }) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'bailiwick' }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  };
}

function toOtlpSpan(span: Span) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KIND[span.kind],
    startTimeUnixNano: toNanoseconds(span.startMs),
    endTimeUnixNano: toNanoseconds(Math.max(span.startMs, span.endMs)),
    attributes: toAttributes(span.attributes),
    events: span.events.map(({ name, atMs, attributes }) => ({
      name,
      timeUnixNano: toNanoseconds(atMs),
      attributes: toAttributes(attributes),
    })),
    status: span.isError ? { code: STATUS_ERROR } : {},
  };
}

function toNanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}

function toAttributes(given: { readonly [name: string]: SpanValue }) {
  return Object.entries(given).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: SpanValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
}
