export { currentLogContext, log, type LogContext, setLogLevel, withLogContext } from './log.ts';
export { metrics } from './metrics.ts';
export { oncePerProcess } from './once-per-process.ts';
