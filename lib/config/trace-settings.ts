import { AppError } from '#lib/kernel/index.ts';

export interface TraceSettings {
  /** Where the collector takes traces, whole. */
  readonly endpoint: string;
  readonly headers: { readonly [name: string]: string };
  readonly serviceName: string;
  /** How many of all runs are traced, 0 to 1. */
  readonly share: number;
}

/**
 * The settings that OpenTelemetry names: an endpoint that `/v1/traces` is added to, headers as `name=value,name=value` with
 * values in percent encoding. Null without an endpoint. Throws `invalid_request` for headers that cannot be read.
 */
export function readTraceSettings(given: {
  endpoint: string | undefined;
  headers: string;
  serviceName: string;
  share: number;
}): TraceSettings | null {
  if (!given.endpoint) return null;
  const { serviceName, share } = given;
  return { endpoint: `${given.endpoint.replace(/\/+$/, '')}/v1/traces`, headers: readHeaders(given.headers), serviceName, share };
}

function readHeaders(text: string): TraceSettings['headers'] {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      try {
        const headers = new Headers([[name.trim(), decodeURIComponent(value.join('=').trim())]]);
        return [...headers][0] ?? ['', ''];
      } catch (error) {
        // The value may be a secret: it is not repeated.
        throw new AppError({
          code: 'invalid_request',
          message: `OTEL_EXPORTER_OTLP_HEADERS: ${name.trim()} cannot be read.`,
          cause: error,
        });
      }
    }),
  );
}
