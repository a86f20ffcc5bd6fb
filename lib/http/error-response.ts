import { z } from 'zod';
import { AppError, isAppError } from '#lib/kernel/index.ts';
import { log } from '#lib/telemetry/index.ts';
import type { ErrorBody } from './contract.ts';
import { ERROR_STATUS } from './error-status.ts';

/** Socket errors, and SQLSTATE classes 08, 53 and 57: the database is away or full, and may soon be back. */
const DATABASE_AWAY = /^(ECONNREFUSED|ECONNRESET|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|08\w{3}|53\w{3}|57P\d\d)$/;

/** Answers with a failure: a known one in its own words, any other in the log as a whole and to the sender vaguely. */
export function toErrorResponse(error: AppError, traceId: string, extra?: Readonly<Record<string, unknown>>): Response {
  const body: ErrorBody = {
    code: error.code,
    message: error.message,
    ...(error.details ? { details: error.details } : {}),
    traceId,
  };
  const headers = new Headers({ 'cache-control': 'no-store' });
  const retryAfterSeconds = error.details?.retryAfterSeconds;
  if (typeof retryAfterSeconds === 'number') headers.set('retry-after', String(retryAfterSeconds));
  if (error.code === 'method_not_allowed' && typeof error.details?.allow === 'string') headers.set('allow', error.details.allow);
  return Response.json({ ...extra, ...body }, { status: ERROR_STATUS[error.code], headers });
}

/** What was thrown, as an error that may be shown. */
export function toAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) {
    if (ERROR_STATUS[thrown.code] >= 500) log.error({ err: thrown }, 'request failed');
    return thrown;
  }
  log.error({ err: thrown }, 'request failed');
  return isDatabaseAway(thrown)
    ? new AppError({ code: 'unavailable', message: 'The database does not answer. Try again in a moment.', cause: thrown })
    : new AppError({ code: 'internal', message: 'Something went wrong on our side. The log has it under the trace id.', cause: thrown });
}

/** The first lines of what zod found, with the path of each. */
export function toInvalidRequest(error: z.ZodError, where: 'body' | 'query'): AppError {
  const problems = error.issues.slice(0, 20).map((issue) => ({ path: [where, ...issue.path].join('.'), message: issue.message }));
  const [first] = problems;
  return new AppError({
    code: 'invalid_request',
    message: first ? `${first.path}: ${first.message}` : 'The request is not what this route takes.',
    details: { problems },
  });
}

function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  if ('code' in error && typeof error.code === 'string' && DATABASE_AWAY.test(error.code)) return true;
  return 'cause' in error && isDatabaseAway(error.cause, depth + 1);
}
