import { randomBytes } from 'node:crypto';
import { findPeer } from '#lib/auth/index.ts';
import { AppError } from '#lib/kernel/index.ts';
import { log, metrics, withLogContext, withRequestOrigin } from '#lib/telemetry/index.ts';
import { toAppError, toErrorResponse } from './error-response.ts';

/** What Next calls for a method of a route file. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  // An answer of the API that is opened as a page can do nothing.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Around every answer of the API: a trace id for the log and the sender, headers that hold for all, the time it took, and
 * an error for whatever was thrown.
 */
export function serve(answer: (request: Request, params: Record<string, unknown>, traceId: string) => Promise<Response>): RouteHandler {
  return (request, context) => {
    const traceId = randomBytes(16).toString('hex');
    return withLogContext({ traceId }, async () => {
      const startedAt = performance.now();
      const params = await context.params;
      const ip = findPeer(request.headers)?.clientAddress ?? null;
      const response = await withRequestOrigin({ ip }, () => answer(request, params, traceId)).catch((error: unknown) =>
        toErrorResponse(toAppError(error), traceId),
      );
      for (const [name, value] of Object.entries(HEADERS)) if (!response.headers.has(name)) response.headers.set(name, value);
      response.headers.set('x-trace-id', traceId);
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.httpRequestSeconds.observe({ method: request.method, status: String(response.status) }, seconds);
      log.debug(
        { method: request.method, path: new URL(request.url).pathname, status: response.status, ms: Math.round(seconds * 1000) },
        'request',
      );
      return response;
    });
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** The methods of one route file; those that are not given answer 405 and name those that are. */
export function methods(given: { readonly [Name in Method]?: RouteHandler }): { readonly [Name in Method]: RouteHandler } {
  const allow = METHODS.filter((method) => given[method]).join(', ');
  const refuse = serve(async (request) => {
    throw new AppError({
      code: 'method_not_allowed',
      message: `${request.method} is not possible here. Possible: ${allow}.`,
      details: { allow },
    });
  });
  return {
    GET: given.GET ?? refuse,
    POST: given.POST ?? refuse,
    PUT: given.PUT ?? refuse,
    PATCH: given.PATCH ?? refuse,
    DELETE: given.DELETE ?? refuse,
  };
}

/** For addresses under /api that lead nowhere. */
export const unknownRoute: RouteHandler = serve(async () => {
  throw new AppError({ code: 'not_found', message: 'There is no such route.' });
});
