import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { oncePerProcess } from './once-per-process.ts';
import { redactNames, redactShapes } from './redact.ts';

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

function describeError(error: unknown): unknown {
  return error instanceof Error ? redactNames(stdSerializers.errWithCause(error)) : error;
}

/**
 * JSON lines. Secrets are taken out here and nowhere else: values by their names, at any depth, and then of the whole line,
 * message and stack included, whatever has the shape of one.
 */
export function createLog(destination?: DestinationStream): Logger {
  return pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: (entry) => redactNames(entry) as Record<string, unknown> },
      // A copy: pino writes the line's own fields into it.
      mixin: () => ({ ...storage.getStore() }),
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: redactShapes },
    },
    ...(destination ? [destination] : []),
  );
}

/** On standard output. Follows the context of the caller: see `withLogContext`. */
export const log: Logger = oncePerProcess('log', () => createLog());

export function setLogLevel(level: string): void {
  log.level = level;
}

/** Every line that `work` writes, however deep and however late, carries `context` beside what the caller's lines carry. */
export function withLogContext<Result>(context: LogContext, work: () => Result): Result {
  return storage.run({ ...storage.getStore(), ...context }, work);
}

/** As `withLogContext`, and nothing of the caller's: for work that somebody's request has only set off. */
export function withOwnLogContext<Result>(context: LogContext, work: () => Result): Result {
  return storage.run(context, work);
}

export function currentLogContext(): LogContext {
  return storage.getStore() ?? {};
}

/** The line of a session's move (requirement H-33). `tokenUsage` is of the run that moved it, until then. */
export function logSessionMove(
  change: {
    readonly sessionId: string;
    readonly move: { readonly from: string; readonly to: string; readonly reason: string };
    readonly tokenUsage: { readonly input: number; readonly output: number };
  } & LogContext,
): void {
  const { move, ...rest } = change;
  log.info(
    { event: 'session_state_changed', ...rest, fromState: move.from, toState: move.to, reason: move.reason },
    'session_state_changed',
  );
}
