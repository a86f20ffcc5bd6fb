export type { EndedModelCall } from './agent-metrics.ts';
export { currentLogContext, type LogContext, log, logSessionMove, setLogLevel, withLogContext, withOwnLogContext } from './log.ts';
export { metrics } from './metrics.ts';
export { oncePerProcess } from './once-per-process.ts';
export { currentRequestIp, withRequestOrigin } from './request-origin.ts';
export type { Span, SpanValue } from './span.ts';
export { TraceExporter } from './trace-exporter.ts';
export { isSampled, spanIdOf, traceIdOf } from './trace-ids.ts';
