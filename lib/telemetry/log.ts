import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino, stdSerializers } from 'pino';
import { oncePerProcess } from './once-per-process.ts';

/** What every line of a request or run carries (requirement H-33). */
export interface LogContext {
  readonly traceId?: string;
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly spanId?: string;
  readonly toolName?: string;
  readonly modelName?: string;
}

const storage = oncePerProcess('log-context', () => new AsyncLocalStorage<LogContext>());

/** Names whose values never reach the log, wherever they stand in the first three levels of a line. */
const SECRET_NAMES = ['password', 'passwordHash', 'authorization', 'cookie', 'setupCode', 'secret', 'token', 'apiKey'];

/** JSON lines on standard output. Follows the context of the caller: see `withLogContext`. */
export const log: Logger = oncePerProcess('log', () =>
  pino({
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => storage.getStore() ?? {},
    serializers: { err: stdSerializers.errWithCause },
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  }),
);

export function setLogLevel(level: string): void {
  log.level = level;
}

/** Every line that `work` writes, however deep and however late, carries `context` beside what the caller's lines carry. */
export function withLogContext<Result>(context: LogContext, work: () => Result): Result {
  return storage.run({ ...storage.getStore(), ...context }, work);
}

export function currentLogContext(): LogContext {
  return storage.getStore() ?? {};
}
