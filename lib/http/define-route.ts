import { type AuthRuntime, authRuntime, readCredentials } from '#lib/auth/index.ts';
import { type AppError, isAppError } from '#lib/kernel/index.ts';
import { log, withLogContext } from '#lib/telemetry/index.ts';
import { type Actor, type Credentials, type Permission, requireOwnRole, requirePermission } from '#lib/tenancy/index.ts';
import { toAppError, toErrorResponse } from './error-response.ts';
import { ERROR_STATUS } from './error-status.ts';
import { isMutating, requireOwnOrigin } from './require-own-origin.ts';
import { type AnswerShape, type PartSchemas, type Parts, readParts, toAnswer } from './route-parts.ts';
import { withShape } from './route-shape.ts';
import { type RouteHandler, serve } from './serve.ts';

export interface RouteCall<Params, Query, Body> extends Parts<Params, Query, Body> {
  readonly actor: Actor;
  readonly request: Request;
  readonly traceId: string;
  /**
   * Reads the sender's rights again, for answers that take long: throws `unauthenticated`, `not_found` or
   * `permission_denied` once they are gone.
   */
  readonly reauthorize: () => Promise<Actor>;
}

export interface RouteDefinition<Params, Query, Body, Result> extends PartSchemas<Params, Query, Body>, AnswerShape {
  /** For the route that ends looking as another role: there the sender is always themselves. */
  readonly asOneself?: true;
  /** What the sender's role must hold, checked before anything is looked up. */
  readonly permission: Permission;
  readonly handle: (call: RouteCall<Params, Query, Body>) => Promise<Result>;
  /** For answers other than plain JSON. */
  readonly respond?: (result: Result, call: RouteCall<Params, Query, Body>) => Response | Promise<Response>;
}

/**
 * One method of a route under `/api/t/{tenant}`: who sends it (401), are they a member here (404), are they within their limits (429), may they
 * (403, on the record; looking as another role, they change nothing), is it what the route takes (400, 413, 415), then `handle`, then the answer.
 */
export function defineRoute<Result, Params = undefined, Query = undefined, Body = undefined>(
  route: RouteDefinition<Params, Query, Body, Result>,
): RouteHandler {
  const handler = serve(async (request, params, traceId) => {
    const runtime = authRuntime();
    const credentials = await readCredentials(runtime.config, request.headers);
    if (credentials?.kind === 'sign-in') requireOwnOrigin(request, runtime.config.publicUrl, 'cookie');
    const slug = String(params.tenant);
    const as = { asOneself: route.asOneself === true };
    const actor = await proveMember(runtime, { slug, credentials, request, as });
    const reauthorize = async () => {
      const now = await runtime.resolveActor(slug, credentials, as);
      requirePermission(now, route.permission);
      return now;
    };
    return withLogContext({ tenantId: actor.scope.tenantId, userId: actor.scope.userId }, async () => {
      try {
        runtime.admit(actor);
        if (isMutating(request.method)) requireOwnRole(actor);
        requirePermission(actor, route.permission);
        const call = { ...(await readParts(route, request, params)), actor, request, traceId, reauthorize };
        const result = await route.handle(call);
        return route.respond ? await route.respond(result, call) : toAnswer(result, route);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (isOnRecord(error, request)) await recordRefusal(runtime, { actor }, request, error);
        return toErrorResponse(error, traceId);
      }
    });
  });
  return withShape(handler, { access: 'tenant', ...route });
}

async function proveMember(
  runtime: AuthRuntime,
  { slug, credentials, request, as }: { slug: string; credentials: Credentials | null; request: Request; as: { asOneself: boolean } },
): Promise<Actor> {
  try {
    return await runtime.resolveActor(slug, credentials, as);
  } catch (error) {
    // The platform's log takes it: the tenant that was named must not learn of those who are not in it.
    const userId = credentials?.kind === 'sign-in' ? credentials.userId : null;
    if (isAppError(error) && error.code === 'not_found' && isMutating(request.method))
      await recordRefusal(runtime, { userId }, request, error);
    throw error;
  }
}

/**
 * Refusals that the audit log keeps: rights that were lacking, and changes aimed at what does not exist here, be it
 * another tenant's (known fault K15).
 */
function isOnRecord(error: AppError, request: Request): boolean {
  if (error.code === 'permission_denied' || error.code === 'rights_exceeded') return true;
  return ERROR_STATUS[error.code] === 404 && isMutating(request.method);
}

/** A refusal stays a refusal when its record cannot be written; the log then says so. */
export async function recordRefusal(
  runtime: AuthRuntime,
  sender: Parameters<AuthRuntime['recordRefusal']>[0],
  request: Request,
  error: AppError,
): Promise<void> {
  const path = new URL(request.url).pathname;
  try {
    await runtime.recordRefusal(sender, { method: request.method, path, code: error.code, details: error.details });
  } catch (failure) {
    log.error({ err: failure, path, code: error.code }, 'a refusal could not be recorded');
  }
}
