export { type LogContext, log, setLogLevel, withLogContext } from './log.ts';
export { metrics } from './metrics.ts';
export { oncePerProcess } from './once-per-process.ts';
export { currentRequestIp, withRequestOrigin } from './request-origin.ts';
