import { authRuntime, readCredentials } from '#lib/auth/index.ts';
import { AppError } from '#lib/kernel/index.ts';
import { withLogContext } from '#lib/telemetry/index.ts';
import { type Actor, type Permission, requirePermission } from '#lib/tenancy/index.ts';
import { recordRefusal } from './define-route.ts';
import { toAppError, toErrorResponse } from './error-response.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { type RouteHandler, serve } from './serve.ts';

/**
 * One method of a route for programs, whose protocol has no place for a tenant: the API key is the tenant's own and says which.
 * A cookie counts for nothing here. Who has no key is told how to send one, and where a program gets a token (401).
 */
export function apiKeyRoute(route: {
  readonly permission: Permission;
  readonly handle: (call: { readonly actor: Actor; readonly request: Request }) => Promise<Response>;
}): RouteHandler {
  return serve(async (request, _params, traceId) => {
    const runtime = authRuntime();
    const credentials = await readCredentials(runtime.config, request.headers);
    if (credentials?.kind !== 'api-key') return askForKey(traceId);
    // A page of another site has no business here, whatever it holds.
    if (request.headers.has('origin')) requireOwnOrigin(request, runtime.config.publicUrl, 'public');
    let actor: Actor;
    try {
      actor = await runtime.resolveActor(null, credentials);
    } catch (thrown) {
      const error = toAppError(thrown);
      return error.code === 'unauthenticated' ? askForKey(traceId) : toErrorResponse(error, traceId);
    }
    return withLogContext({ tenantId: actor.scope.tenantId, userId: actor.scope.userId }, async () => {
      try {
        runtime.admit(actor);
        requirePermission(actor, route.permission);
        return await route.handle({ actor, request });
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code === 'permission_denied') await recordRefusal(runtime, { actor }, request, error);
        return toErrorResponse(error, traceId);
      }
    });
  });
}

function askForKey(traceId: string): Response {
  const response = toErrorResponse(
    new AppError({ code: 'unauthenticated', message: 'Send an API key that is valid, as bearer token.' }),
    traceId,
  );
  // Programs find out by this how a person can let them in (RFC 9728 section 5.1).
  const { origin } = authRuntime().config.publicUrl;
  response.headers.set(
    'www-authenticate',
    `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/api/mcp", scope="mcp"`,
  );
  return response;
}
