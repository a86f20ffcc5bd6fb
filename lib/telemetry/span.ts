export type SpanValue = string | number | boolean | readonly string[];

/** One span, in the terms of OpenTelemetry. Instants are milliseconds since 1970. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** null for the root. */
  readonly parentSpanId: string | null;
  readonly name: string;
  /** `client` for a call of something outside. */
  readonly kind: 'internal' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: { readonly [name: string]: SpanValue };
  readonly events: readonly { readonly name: string; readonly atMs: number; readonly attributes: { readonly [name: string]: SpanValue } }[];
  readonly isError: boolean;
}
