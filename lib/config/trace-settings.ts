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
  const headers = new Headers();
  for (const pair of pairs) {
    const [name = '', ...value] = pair.split('=');
    try {
      if (value.length === 0 || headers.has(name.trim())) throw new TypeError('no value, or the second of its name');
      headers.set(name.trim(), decodeURIComponent(value.join('=').trim()));
    } catch (error) {
      // The value may be a secret: it is not repeated.
      throw new AppError({
        code: 'invalid_request',
        message: `OTEL_EXPORTER_OTLP_HEADERS: ${name.trim() || 'a header without a name'} cannot be read. Write name=value, separated by commas, each name once.`,
        cause: error,
      });
    }
  }
  return Object.fromEntries(headers);
}
